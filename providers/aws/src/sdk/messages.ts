/**
 * What the manager's thread and the SDK's thread send each other. Every request has a channel of its own: the reply
 * comes through it, and closing it ends the request. A channel also closes when the thread at its other end ends.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Action, Input } from './actions.ts';
import type { RefusalFacts } from './refusal.ts';

export interface ToThread {
  readonly request:
    | { readonly kind: 'call'; readonly action: Action; readonly input: Input<Action> }
    | { readonly kind: 'renewCredentials' };
  readonly replyTo: MessagePort;
}

export type Reply<T> =
  | { readonly kind: 'answer'; readonly output: T }
  | { readonly kind: 'refusal'; readonly facts: RefusalFacts };

/** What the thread sends unasked. */
export type FromThread =
  | { readonly kind: 'opened' }
  /** The SDK cannot use the options, and the thread ends. */
  | { readonly kind: 'notOpened'; readonly message: string }
  /** The `Date` header of an answer. */
  | { readonly kind: 'date'; readonly date: string; readonly tookMs: number };
