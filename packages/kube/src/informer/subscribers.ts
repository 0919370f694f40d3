/**
 * Those who are told of changes. They are called one after the other, at once and synchronously: when
 * a list has been applied, every subscriber has been told of every object in it. A subscriber puts keys
 * into a queue; it does not work, and it does not fail. One that throws is a mistake in the program,
 * and ends the informer with an error that says so.
 */
import { CcmError } from '@tandem/runtime';

export type Change<T> =
  | { readonly kind: 'added'; readonly object: T }
  | { readonly kind: 'updated'; readonly before: T; readonly after: T }
  | { readonly kind: 'deleted'; readonly object: T };

export type Subscriber<T> = (change: Change<T>) => void;

export class SubscriberFailedError extends CcmError {
  constructor(cause: unknown) {
    super('A subscriber of an informer threw an error', {
      code: 'SubscriberFailed',
      retry: 'never',
      effect: 'none',
      cause,
    });
  }
}

export class Subscribers<T> {
  /** Replaced, never changed: who subscribes while a change is told finds it in the cache already. */
  #subscribers: readonly { readonly tell: Subscriber<T> }[] = [];

  /** Adds one, also the same function twice, and gives back how to remove it. */
  add(tell: Subscriber<T>): () => void {
    const added = { tell };
    this.#subscribers = [...this.#subscribers, added];
    return () => {
      this.#subscribers = this.#subscribers.filter((entry) => entry !== added);
    };
  }

  tell(change: Change<T>): void {
    for (const entry of this.#subscribers) {
      const hasLeft = !this.#subscribers.includes(entry);
      if (hasLeft) continue;
      try {
        entry.tell(change);
      } catch (cause) {
        throw new SubscriberFailedError(cause);
      }
    }
  }
}
