/**
 * The subscribers of an informer. It calls them one after the other, synchronously: when a list has been
 * applied, every subscriber knows every object in it. A subscriber adds keys to a queue; it does no work
 * and must not fail. One that throws is a bug, and ends the informer with an error.
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
  /**
   * Replaced, never changed: a subscriber that is added during a report finds the change in the cache.
   */
  #subscribers: readonly { readonly tell: Subscriber<T> }[] = [];

  /** Adds a subscriber, even the same function twice, and returns a function that removes it. */
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
