/**
 * Reads what a chain check needs and `node:crypto` does not show of a certificate: how many authorities may be below it,
 * and whether it has a critical extension that this program does not know (RFC 5280 requires such a certificate to be refused).
 */
import type { X509Certificate } from 'node:crypto';
import { bigEndian, type DerElement, readElement, readElements } from './der-reader.ts';
import { derTag } from './der-writer.ts';

interface ChainFacts {
  /** The maximum number of authorities between this one and the leaf. */
  readonly pathLengthMax: number;
  readonly hasUnknownCritical: boolean;
}

/** Returns undefined for an unreadable certificate. */
export function chainFactsOf({ raw }: Pick<X509Certificate, 'raw'>): ChainFacts | undefined {
  try {
    const extensions = extensionsIn(raw);
    const constraints = extensions.find(({ id }) => id === basicConstraints);
    return {
      pathLengthMax: constraints === undefined ? unlimited : pathLengthIn(constraints.value),
      hasUnknownCritical: extensions.some(
        ({ id, isCritical }) => (isCritical && !understood.has(id)) || id === nameConstraints,
      ),
    };
  } catch (err) {
    if (err instanceof RangeError) return undefined;
    throw err;
  }
}

const unlimited = Number.POSITIVE_INFINITY;
const basicConstraints = '551d13';

/** Always treated as critical, as the standard requires it to be, because it is not checked here. */
const nameConstraints = '551d1e';

/**
 * Object identifiers in hexadecimal: key usage, alternative names, basic constraints, policies,
 * extended key usage.
 */
const understood: ReadonlySet<string> = new Set([
  '551d0f',
  '551d11',
  basicConstraints,
  '551d20',
  '551d25',
]);

interface Extension {
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

function extensionsIn(raw: Uint8Array): Extension[] {
  const [content] = readElements(readElement(raw).content);
  if (content === undefined) throw new RangeError('a certificate without content');
  const wrapped = readElements(content.content).find(({ tag }) => tag === extensionsTag);
  if (wrapped === undefined) return [];
  return readElements(readElement(wrapped.content).content).map(readExtension);
}

/** The context tag 3, constructed. */
const extensionsTag = 0xa3;

function readExtension({ content }: DerElement): Extension {
  const parts = readElements(content);
  const id = parts.find(({ tag }) => tag === derTag.objectIdentifier);
  const critical = parts.find(({ tag }) => tag === derTag.boolean);
  const value = parts.find(({ tag }) => tag === derTag.octetString);
  if (id === undefined || value === undefined) throw new RangeError('an extension without value');
  return {
    id: Buffer.from(id.content).toString('hex'),
    isCritical: critical?.content[0] === 0xff,
    value: value.content,
  };
}

function pathLengthIn(value: Uint8Array): number {
  const limit = readElements(readElement(value).content).find(({ tag }) => tag === derTag.integer);
  return limit === undefined ? unlimited : bigEndian(limit.content);
}
