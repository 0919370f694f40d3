/**
 * The contract of the two codecs. Requests prefer protobuf, which costs the API server a third of the
 * work. JSON is for servers that have nothing else.
 */
import type { ApiStatus } from '../client/index.ts';
import type { Splitter } from './frames.ts';
import type { ObjectFacts, ObjectReader } from './object-reader.ts';

export interface Codec {
  readonly name: 'protobuf' | 'json';
  /** Reads a whole list, or one page of it. Throws a `DecodeError`. */
  readList<T extends ObjectFacts>(body: Uint8Array, reader: ObjectReader<T>): ListPage<T>;
  /** Splits a watch into pieces, each of which is an event. */
  splitWatch(): Splitter;
  /** Throws a `DecodeError`. */
  readEvent<T extends ObjectFacts>(piece: Uint8Array, reader: ObjectReader<T>): WatchEvent<T>;
}

export interface ListPage<T> {
  readonly resourceVersion: string;
  /** The token for the next page; empty on the last one. */
  readonly continueToken: string;
  readonly items: readonly T[];
}

/** The encoding that an informer requests. */
export type Encoding = 'protobuf' | 'json';

export const protobufType = 'application/vnd.kubernetes.protobuf';
export const jsonType = 'application/json';

/** The `Accept` header of a list or a watch, best first. */
export function acceptHeader(verb: 'list' | 'watch', encoding: Encoding): string {
  if (encoding === 'json') return jsonType;
  return verb === 'watch'
    ? `${protobufType};stream=watch, ${jsonType}`
    : `${protobufType}, ${jsonType}`;
}

/** An event of a watch, in either encoding. */
export type WatchEvent<T> =
  | { readonly kind: 'added' | 'modified' | 'deleted'; readonly object: T }
  | {
      readonly kind: 'bookmark';
      readonly resourceVersion: string;
      /** Whether the streaming list is complete. */
      readonly endsInitialEvents: boolean;
    }
  /** A refusal inside the stream, under HTTP 200. */
  | { readonly kind: 'error'; readonly status: ApiStatus };

/** The annotation of the bookmark that ends a streaming list. */
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
