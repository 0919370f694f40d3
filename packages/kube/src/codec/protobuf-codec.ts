/**
 * The codec for Kubernetes' protobuf: lists in one envelope, watches as frames with an envelope around
 * each object. Field numbers are those of k8s.io/apimachinery and never change once released.
 */
import { type ApiStatus, parseStatus } from '../client/index.ts';
import type { Codec, ListPage } from './codec.ts';
import { DecodeError } from './decode-error.ts';
import { enterEnvelope, enterField } from './envelope.ts';
import { splitFrames } from './frames.ts';
import { isVersion, type ObjectFacts, type ObjectReader } from './object-reader.ts';
import {
  initialEventsEnd,
  isObjectEventType,
  objectEventKinds,
  type WatchEvent,
} from './watch-event.ts';
import { WireReader } from './wire-reader.ts';

export const protobufCodec: Codec = {
  name: 'protobuf',
  readList(body, reader) {
    const wire = new WireReader().open(body);
    enterEnvelope(wire);
    return readListMessage(wire, reader);
  },
  watchDecoder(reader) {
    const frames = splitFrames();
    const wire = new WireReader();
    return {
      get isWithinPiece() {
        return frames.isWithinPiece;
      },
      push(chunk, take) {
        frames.push(chunk, (bytes, start, end) => {
          take(readEvent(wire.open(bytes, start, end), reader));
        });
      },
    };
  },
};

function readListMessage<T extends ObjectFacts>(
  wire: WireReader,
  reader: ObjectReader<T>,
): ListPage<T> {
  let metadata = { resourceVersion: '', continueToken: '' };
  const items: T[] = [];
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) metadata = readListMeta(wire);
    else if (field === 2) items.push(readItem(wire, reader));
    else wire.skip();
  }
  return { ...metadata, items };
}

function readListMeta(
  wire: WireReader,
): Pick<ListPage<never>, 'resourceVersion' | 'continueToken'> {
  let resourceVersion = '';
  let continueToken = '';
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 2) resourceVersion = wire.text();
    else if (field === 3) continueToken = wire.text();
    else wire.skip();
  }
  wire.leave(outerEnd);
  return { resourceVersion, continueToken };
}

function readItem<T extends ObjectFacts>(wire: WireReader, reader: ObjectReader<T>): T {
  const outerEnd = wire.enter();
  const object = readObject(wire, reader);
  wire.leave(outerEnd);
  return object;
}

function readObject<T extends ObjectFacts>(wire: WireReader, reader: ObjectReader<T>): T {
  if (reader.fromProtobuf === undefined) throw new DecodeError('This kind has no protobuf');
  return reader.fromProtobuf(wire);
}

/** The type stands before the object, as the API server writes it and as fields are ordered. */
function readEvent<T extends ObjectFacts>(
  wire: WireReader,
  reader: ObjectReader<T>,
): WatchEvent<T> {
  let type = '';
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) type = wire.text();
    else if (field === 2) {
      wire.enter();
      enterField(wire, 1);
      return readEventObject(type, wire, reader);
    } else wire.skip();
  }
  throw new DecodeError('An event has no object');
}

function readEventObject<T extends ObjectFacts>(
  type: string,
  wire: WireReader,
  reader: ObjectReader<T>,
): WatchEvent<T> {
  if (type === 'ERROR') return { kind: 'error', status: readStatus(wire) };
  enterEnvelope(wire);
  if (isObjectEventType(type)) {
    return { kind: objectEventKinds[type], object: readObject(wire, reader) };
  }
  if (type === 'BOOKMARK') return readBookmark(wire);
  throw new DecodeError(`An event has the unknown type ${JSON.stringify(type)}`);
}

/** An object of the watched kind with nothing but metadata, which is field 1 of every kind. */
function readBookmark<T>(wire: WireReader): WatchEvent<T> {
  let resourceVersion = '';
  let endsInitialEvents = false;
  enterField(wire, 1);
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 6) resourceVersion = wire.text();
    else if (field === 12) endsInitialEvents = isEndMark(wire) || endsInitialEvents;
    else wire.skip();
  }
  if (!isVersion(resourceVersion)) throw new DecodeError('A bookmark has no resourceVersion');
  return { kind: 'bookmark', resourceVersion, endsInitialEvents };
}

function isEndMark(wire: WireReader): boolean {
  let key = '';
  let value = '';
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) key = wire.text();
    else if (field === 2) value = wire.text();
    else wire.skip();
  }
  wire.leave(outerEnd);
  return key === initialEventsEnd && value === 'true';
}

function readStatus(wire: WireReader): ApiStatus {
  const status = parseStatus(wire.rest());
  if (status === undefined) throw new DecodeError('An error in a watch is no Status');
  return status;
}
