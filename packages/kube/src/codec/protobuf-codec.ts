/**
 * The codec for Kubernetes' protobuf: lists in one envelope, watches as frames with an envelope around
 * each object. Field numbers are those of k8s.io/apimachinery and never change once released.
 */
import { type ApiStatus, parseStatus } from '../client/index.ts';
import { DecodeError } from '../decode-error.ts';
import {
  type BinaryReader,
  enter,
  fieldOf,
  findBytes,
  nextTag,
  openEnvelope,
  readBytes,
  readProtobuf,
  readText,
  skip,
} from '../protobuf.ts';
import {
  type Codec,
  initialEventsEnd,
  isObjectEventType,
  type ListPage,
  objectEventKinds,
  type WatchEvent,
} from './codec.ts';
import { decodePieces, splitFrames } from './frames.ts';
import { isVersion, type ObjectFacts, type ObjectReader } from './object-reader.ts';

export const protobufCodec: Codec = {
  name: 'protobuf',
  readList(body, reader) {
    return readProtobuf(openEnvelope(body), (list) => readListMessage(list, reader));
  },
  watchDecoder: (reader) => decodePieces(splitFrames(), (piece) => readEvent(piece, reader)),
};

function readListMessage<T extends ObjectFacts>(
  list: BinaryReader,
  reader: ObjectReader<T>,
): ListPage<T> {
  let metadata = { resourceVersion: '', continueToken: '' };
  const items: T[] = [];
  for (let tag = nextTag(list, list.len); tag !== 0; tag = nextTag(list, list.len)) {
    if (fieldOf(tag) === 1) metadata = readListMeta(list, enter(list, tag));
    else if (fieldOf(tag) === 2) items.push(readObject(readBytes(list, tag), reader));
    else skip(list, tag);
  }
  return { ...metadata, items };
}

function readListMeta(
  list: BinaryReader,
  end: number,
): Pick<ListPage<never>, 'resourceVersion' | 'continueToken'> {
  let resourceVersion = '';
  let continueToken = '';
  for (let tag = nextTag(list, end); tag !== 0; tag = nextTag(list, end)) {
    if (fieldOf(tag) === 2) resourceVersion = readText(list, tag);
    else if (fieldOf(tag) === 3) continueToken = readText(list, tag);
    else skip(list, tag);
  }
  return { resourceVersion, continueToken };
}

function readObject<T extends ObjectFacts>(bytes: Uint8Array, reader: ObjectReader<T>): T {
  const { fromProtobuf } = reader;
  if (fromProtobuf === undefined) throw new DecodeError('This kind has no protobuf encoding');
  return readProtobuf(bytes, fromProtobuf);
}

/** `WatchEvent{type=1, object=2{raw=1}}`, with an envelope in `raw`. */
function readEvent<T extends ObjectFacts>(
  frame: Uint8Array,
  reader: ObjectReader<T>,
): WatchEvent<T> {
  const { type, body } = readProtobuf(frame, readEventMessage);
  if (body === undefined) throw new DecodeError('An event has no object');
  if (type === 'ERROR') return { kind: 'error', status: readStatus(body) };
  const object = openEnvelope(body);
  if (isObjectEventType(type)) {
    return { kind: objectEventKinds[type], object: readObject(object, reader) };
  }
  if (type === 'BOOKMARK') return readBookmark(object);
  throw new DecodeError(`An event has the unknown type ${JSON.stringify(type)}`);
}

function readEventMessage(event: BinaryReader): {
  readonly type: string;
  readonly body: Uint8Array | undefined;
} {
  let type = '';
  let body: Uint8Array | undefined;
  for (let tag = nextTag(event, event.len); tag !== 0; tag = nextTag(event, event.len)) {
    if (fieldOf(tag) === 1) type = readText(event, tag);
    else if (fieldOf(tag) === 2) body = findBytes(event, enter(event, tag), 1);
    else skip(event, tag);
  }
  return { type, body };
}

/** An object of the watched kind with nothing but metadata, which is field 1 of every kind. */
function readBookmark<T>(object: Uint8Array): WatchEvent<T> {
  const metadata = readProtobuf(object, (reader) => findBytes(reader, reader.len, 1));
  if (metadata === undefined) throw new DecodeError('A bookmark has no metadata');
  return readProtobuf(metadata, (reader) => readBookmarkMetadata<T>(reader));
}

function readBookmarkMetadata<T>(reader: BinaryReader): WatchEvent<T> {
  let resourceVersion = '';
  let endsInitialEvents = false;
  for (let tag = nextTag(reader, reader.len); tag !== 0; tag = nextTag(reader, reader.len)) {
    if (fieldOf(tag) === 6) resourceVersion = readText(reader, tag);
    else if (fieldOf(tag) === 12) {
      endsInitialEvents = isEndMark(reader, enter(reader, tag)) || endsInitialEvents;
    } else skip(reader, tag);
  }
  if (!isVersion(resourceVersion)) throw new DecodeError('A bookmark has no resourceVersion');
  return { kind: 'bookmark', resourceVersion, endsInitialEvents };
}

function isEndMark(reader: BinaryReader, end: number): boolean {
  let key = '';
  let value = '';
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    if (fieldOf(tag) === 1) key = readText(reader, tag);
    else if (fieldOf(tag) === 2) value = readText(reader, tag);
    else skip(reader, tag);
  }
  return key === initialEventsEnd && value === 'true';
}

function readStatus(body: Uint8Array): ApiStatus {
  const status = parseStatus(body);
  if (status === undefined) throw new DecodeError('An error in a watch is not a Status');
  return status;
}
