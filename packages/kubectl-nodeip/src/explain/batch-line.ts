/** Reads one line of a batch: returns its question, or a message that says what is wrong and what is expected. */
import type { NodeAddress } from '@tandem/core/node-address';

export interface BatchQuestion {
  readonly name: string | undefined;
  readonly cloud: readonly NodeAddress[];
  readonly asked: { readonly kind: 'annotation' | 'nodeIP'; readonly value: string | null };
}

export type BatchLine =
  | { readonly kind: 'question'; readonly question: BatchQuestion }
  | { readonly kind: 'blank' }
  | { readonly kind: 'invalid'; readonly problem: string };

export function readBatchLine(text: string): BatchLine {
  const parsed = parseJson(text);
  if (parsed.kind === 'invalid') return text.trim() === '' ? { kind: 'blank' } : parsed;
  const line = parsed.value;
  if (!isObject(line)) return invalid(`not a JSON object: expected ${shape}`);

  const { name, cloud } = line;
  if (name !== undefined && typeof name !== 'string') return invalid('"name" must be a string');
  if (!Array.isArray(cloud)) return invalid(`"cloud" must be a list: expected ${shape}`);
  const entries: readonly unknown[] = cloud;
  if (!isAddressList(entries)) {
    const wrong = entries.findIndex((entry) => !isAddress(entry));
    return invalid(`"cloud"[${wrong}] must be {"type": string, "address": string}`);
  }
  const asked = readRequest(line);
  if (typeof asked === 'string') return invalid(asked);
  return { kind: 'question', question: { name, cloud: entries, asked } };
}

const shape = '{"name"?, "cloud": [{"type", "address"}], "annotation" or "nodeIP": string or null}';

/** Returns the value of the given one of the two keys, or a message that says what is wrong. */
function readRequest(line: Readonly<Record<string, unknown>>): BatchQuestion['asked'] | string {
  const kind = Object.hasOwn(line, 'annotation') ? 'annotation' : 'nodeIP';
  if (kind === 'annotation' && Object.hasOwn(line, 'nodeIP'))
    return 'both "annotation" and "nodeIP" given: expected one of them';
  if (!Object.hasOwn(line, kind))
    return 'neither "annotation" nor "nodeIP" given: expected one of them, a string or null';
  const value = line[kind];
  if (typeof value !== 'string' && value !== null) return `"${kind}" must be a string or null`;
  return { kind, value };
}

function parseJson(
  text: string,
): { kind: 'value'; value: unknown } | { kind: 'invalid'; problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { kind: 'value', value };
  } catch {
    return { kind: 'invalid', problem: `not JSON: expected ${shape}` };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAddressList(values: readonly unknown[]): values is readonly NodeAddress[] {
  for (const value of values) if (!isAddress(value)) return false;
  return true;
}

function isAddress(value: unknown): value is NodeAddress {
  return (
    isObject(value) && typeof value['type'] === 'string' && typeof value['address'] === 'string'
  );
}

function invalid(problem: string): BatchLine {
  return { kind: 'invalid', problem };
}
