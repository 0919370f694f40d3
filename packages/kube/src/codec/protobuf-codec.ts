/**
 * The codec for Kubernetes' protobuf: lists in one envelope, watches as frames with an envelope around
 * each object. Field numbers are those of k8s.io/apimachinery and never change once released.
 */
import { type ApiStatus, parseStatus } from '../client/index.ts';
import { DecodeError } from '../decode-error.ts';
import {
  bytesAt,
  listAt,
  messageAt,
  openEnvelope,
  readMessage,
  readProtobuf,
  textAt,
} from '../protobuf.ts';
import {
  type Codec,
  initialEventsEnd,
  isObjectEventType,
  objectEventKinds,
  type WatchEvent,
} from './codec.ts';
import { splitFrames } from './frames.ts';
import { isVersion, type ObjectFacts, type ObjectReader } from './object-reader.ts';

export const protobufCodec: Codec = {
  name: 'protobuf',
  /** `List{metadata=1{resourceVersion=2, continue=3}, items=2}`. */
  readList(body, reader) {
    const list = readMessage(openEnvelope(body));
    const metadata = messageAt(list, 1);
    return {
      resourceVersion: textAt(metadata, 2),
      continueToken: textAt(metadata, 3),
      items: listAt(list, 2).map((item) => readObject(item, reader)),
    };
  },
  splitWatch: splitFrames,
  readEvent,
};

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
  const event = readMessage(frame);
  const type = textAt(event, 1);
  const body = bytesAt(messageAt(event, 2), 1);
  if (body === undefined) throw new DecodeError('An event has no object');
  if (type === 'ERROR') return { kind: 'error', status: readStatus(body) };
  const object = openEnvelope(body);
  if (isObjectEventType(type)) {
    return { kind: objectEventKinds[type], object: readObject(object, reader) };
  }
  if (type === 'BOOKMARK') return readBookmark(object);
  throw new DecodeError(`An event has the unknown type ${JSON.stringify(type)}`);
}

/** An object of the watched kind with only metadata: `ObjectMeta{resourceVersion=6, annotations=12}`. */
function readBookmark<T>(object: Uint8Array): WatchEvent<T> {
  const metadata = messageAt(readMessage(object), 1);
  const resourceVersion = textAt(metadata, 6);
  if (!isVersion(resourceVersion)) throw new DecodeError('A bookmark has no resourceVersion');
  const endsInitialEvents = listAt(metadata, 12)
    .map(readMessage)
    .some((pair) => textAt(pair, 1) === initialEventsEnd && textAt(pair, 2) === 'true');
  return { kind: 'bookmark', resourceVersion, endsInitialEvents };
}

function readStatus(body: Uint8Array): ApiStatus {
  const status = parseStatus(body);
  if (status === undefined) throw new DecodeError('An error in a watch is not a Status');
  return status;
}
