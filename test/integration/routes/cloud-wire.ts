/** What a manager and the cloud beside it say to each other, as JSON: one question and one answer a request. */
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

/** An error as far as it can be sent. */
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

/** What the manager's side reads from the file of `--cloud-config`. */
export interface CloudAddress {
  readonly url: string;
  readonly families: readonly ('IPv4' | 'IPv6')[];
  readonly deadlineMs: number;
}
