/**
 * What the runner and the mocha process of a suite tell each other over their IPC channel. Tests
 * are reported one by one, so that what ran before a crash still counts.
 */

/** Sent once by the runner: what to run, and how. */
export interface Order {
  readonly root: string;
  readonly files: readonly string[];
  readonly grep: string | undefined;
  readonly timeoutMs: number;
  readonly slowMs: number;
  readonly progress: 'files' | 'titles';
  /** After its last test the process has this long to end by itself. */
  readonly lingerMsMax: number;
}

export type Message =
  /** A test file threw while it was loaded; the error itself is already printed. */
  | { readonly kind: 'unloadable'; readonly file: string }
  /** How many tests a file declares, whether or not they will run. */
  | { readonly kind: 'declared'; readonly file: string; readonly tests: number }
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly what: 'test' | 'hook' }
  | { readonly kind: 'skipped' }
  /** A test that had passed has failed after all, by an error that came late. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'ended' }
  /** The process is done but something keeps it alive: the kinds of resource still open. */
  | { readonly kind: 'lingering'; readonly resources: readonly string[] };

const kinds: ReadonlySet<unknown> = new Set<Message['kind']>([
  'unloadable',
  'declared',
  'passed',
  'failed',
  'skipped',
  'revoked',
  'ended',
  'lingering',
]);

/** Both ends are the same version of the same program, so the kind tells the rest. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'kind' in value && kinds.has(value.kind);
}

/** As `isMessage`, for the other direction. */
export function isOrder(value: unknown): value is Order {
  return typeof value === 'object' && value !== null && 'files' in value && 'root' in value;
}
