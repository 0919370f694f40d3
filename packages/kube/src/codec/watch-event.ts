/** What a watch says, in either encoding. */
import type { ApiStatus } from '../client/index.ts';

export type WatchEvent<T> =
  | { readonly kind: 'added' | 'modified' | 'deleted'; readonly object: T }
  | {
      readonly kind: 'bookmark';
      readonly resourceVersion: string;
      /** Whether everything that a streaming list promised has been sent. */
      readonly endsInitialEvents: boolean;
    }
  /** A refusal inside the stream, under HTTP 200. */
  | { readonly kind: 'error'; readonly status: ApiStatus };

/** On a bookmark: the streaming list is complete. */
export const initialEventsEnd = 'k8s.io/initial-events-end';

export const objectEventKinds = {
  ADDED: 'added',
  MODIFIED: 'modified',
  DELETED: 'deleted',
} as const;

export type ObjectEventType = keyof typeof objectEventKinds;

export function isObjectEventType(type: string): type is ObjectEventType {
  return Object.hasOwn(objectEventKinds, type);
}
