/**
 * Models what a kubelet with an external cloud provider does with its `--node-ip`: it writes an
 * annotation, or none, or refuses to start. Unlike the reader of the annotation, it trims blanks
 * and drops parts that it cannot parse. Released kubelets (1.36) do not know family words and drop
 * them, too; a kubelet with KEP-3705 passes them on. The kubelet also requires that an interface of
 * the machine has the address, which this model cannot check.
 */
import { type SpecialUse, specialUseOf } from '../ip/index.ts';
import { formatToken, isUnspecified, parseToken, type Token } from './request.ts';

export type KubeletKind = 'released' | 'kep';

export interface KubeletOutcome {
  /**
   * The value of `alpha.kubernetes.io/provided-node-ip`, or null if kubelet writes (or keeps) none.
   */
  readonly annotation: string | null;
  /** Parts of the value that kubelet drops with no more than a line in its log. */
  readonly ignored: readonly string[];
  /** Why kubelet does not start, or null. */
  readonly refused: string | null;
  /** Why kubelet starts but does not annotate the value, or null. */
  readonly withheld: string | null;
}

export function runKubelet(nodeIP: string | null, kind: KubeletKind): KubeletOutcome {
  const { tokens, ignored } = readArgument(nodeIP ?? '', kind);
  const outcome = { annotation: null, ignored, refused: null, withheld: null };
  const [first, second] = tokens;
  if (tokens.length > 2 || (second && first?.family === second.family)) {
    const refused = '--node-ip must contain either a single IP or a dual-stack pair of IPs';
    return { ...outcome, refused };
  }
  if (second && tokens.some(isUnspecified)) {
    return { ...outcome, refused: "--node-ip: a dual-stack pair cannot include '0.0.0.0' or '::'" };
  }
  // An unspecified address only tells kubelet which family to detect for itself.
  if (first === undefined || isUnspecified(first)) return outcome;
  const unusable = tokens.find((token) => useOf(token) !== undefined);
  if (unusable !== undefined) {
    return { ...outcome, withheld: `${formatToken(unusable)} is a ${useOf(unusable)} address` };
  }
  return { ...outcome, annotation: tokens.map(formatToken).join(',') };
}

/**
 * Kubelet validates its addresses with every status report, and does not change the node if one
 * fails.
 */
function useOf(token: Token): SpecialUse | undefined {
  return token.kind === 'literal' ? specialUseOf(token.ip) : undefined;
}

function readArgument(text: string, kind: KubeletKind): { tokens: Token[]; ignored: string[] } {
  const tokens: Token[] = [];
  const ignored: string[] = [];
  for (const piece of text === '' ? [] : text.split(',')) {
    const trimmed = trimSpace(piece);
    const token = parseToken(trimmed);
    if (token === undefined || (token.kind === 'family' && kind === 'released')) {
      ignored.push(trimmed);
    } else {
      tokens.push(token);
    }
  }
  return { tokens, ignored };
}

/** Trims white space as Go does: unlike in JavaScript, this includes U+0085 and excludes U+FEFF. */
function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start++;
  while (end > start && isSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(character: string): boolean {
  return /[\s\u0085]/.test(character) && character !== '\ufeff';
}
