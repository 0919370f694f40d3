/** The codec for JSON: lists as one object, watches as one object a line. */
import { type ApiStatus, parseStatus } from '../client/index.ts';
import {
  type Codec,
  initialEventsEnd,
  isObjectEventType,
  objectEventKinds,
  type WatchEvent,
} from './codec.ts';
import { DecodeError } from '../decode-error.ts';
import { splitLines } from './frames.ts';
import { asObject, type JsonObject, listAt, objectAt, parseJson, textAt } from './json-value.ts';
import { isVersion, type ObjectFacts, type ObjectReader } from './object-reader.ts';

export const jsonCodec: Codec = {
  name: 'json',
  readList(body, reader) {
    const list = asObject(parseJson(body), 'The list');
    const metadata = objectAt(list, 'metadata');
    return {
      resourceVersion: textAt(metadata, 'resourceVersion'),
      continueToken: textAt(metadata, 'continue'),
      items: listAt(list, 'items').map((item) => reader.fromJson(item)),
    };
  },
  splitWatch: splitLines,
  readEvent,
};

function readEvent<T extends ObjectFacts>(
  line: Uint8Array,
  reader: ObjectReader<T>,
): WatchEvent<T> {
  const event = asObject(parseJson(line), 'The event');
  const type = textAt(event, 'type');
  if (isObjectEventType(type)) {
    return { kind: objectEventKinds[type], object: reader.fromJson(event['object']) };
  }
  const object = objectAt(event, 'object');
  if (type === 'BOOKMARK') return readBookmark(object);
  if (type === 'ERROR') return { kind: 'error', status: readStatus(object) };
  throw new DecodeError(`An event has the unknown type ${JSON.stringify(type)}`);
}

function readBookmark<T>(object: JsonObject): WatchEvent<T> {
  const metadata = objectAt(object, 'metadata');
  const resourceVersion = textAt(metadata, 'resourceVersion');
  if (!isVersion(resourceVersion)) throw new DecodeError('A bookmark has no resourceVersion');
  const annotations = objectAt(metadata, 'annotations');
  return {
    kind: 'bookmark',
    resourceVersion,
    endsInitialEvents: textAt(annotations, initialEventsEnd) === 'true',
  };
}

/** Encodes the Status again for the one parser. A stream has at most one Status. */
function readStatus(object: JsonObject): ApiStatus {
  const status = parseStatus(Buffer.from(JSON.stringify(object)));
  if (status === undefined) throw new DecodeError('An error in a watch is not a Status');
  return status;
}
