/** The JSON messages between a manager and the cloud in the test process: one question and one reply a request. */
import type {
  LookupAnswer,
  NodeRef,
  RouteOperation,
  RouteOutcome,
  RouteTable,
} from '@tandem/provider/plug';

export type CloudQuestion =
  | { readonly kind: 'lookup'; readonly nodes: readonly NodeRef[]; readonly maxAgeMs: number }
  | { readonly kind: 'list' }
  | { readonly kind: 'change'; readonly operation: RouteOperation };

export type CloudReply =
  | { readonly kind: 'looked up'; readonly answers: readonly (readonly [string, LookupAnswer])[] }
  | { readonly kind: 'listed'; readonly tables: readonly RouteTable[] }
  | { readonly kind: 'changed'; readonly outcome: WireOutcome }
  | { readonly kind: 'failed'; readonly err: WireError };

/** An error as JSON. */
export interface WireError {
  readonly message: string;
  readonly code: string;
  readonly retryAfterMs?: number;
}

export type WireOutcome =
  | Extract<RouteOutcome, { kind: 'applied' }>
  | {
      readonly kind: 'refused' | 'unknown';
      readonly err: WireError;
      readonly reason?: 'tableFull' | 'exists';
    };

/** The content of the `--cloud-config` file. */
export interface CloudAddress {
  readonly url: string;
  readonly families: readonly ('IPv4' | 'IPv6')[];
  readonly deadlineMs: number;
}
