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
  /** Says at once that the caller no longer waits: a busy thread learns of a closed channel only later. */
  readonly abandoned: SharedArrayBuffer;
}

export type Reply<T> = (
  | { readonly kind: 'answer'; readonly output: T }
  | { readonly kind: 'refusal'; readonly facts: RefusalFacts }
) & {
  /** The last `Date` header that came from EC2, and the time that its answer took. */
  readonly date: { readonly text: string; readonly tookMs: number } | undefined;
};

/** The first message of the thread. */
export type Opening =
  | { readonly kind: 'opened' }
  /** The SDK cannot use the options, and the thread ends. */
  | { readonly kind: 'notOpened'; readonly message: string };

/** A flag that one thread sets and the other reads. */
export function setFlag(flag: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(flag), 0, 1);
}

export function isFlagSet(flag: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(flag), 0) === 1;
}

export function aFlag(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}
