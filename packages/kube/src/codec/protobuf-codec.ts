/**
 * The codec for Kubernetes' protobuf: lists in one envelope, watches as frames with an envelope around
 * each object. Field numbers are those of k8s.io/apimachinery and never change once released.
 */
import { type ApiStatus, parseStatus } from '../client/index.ts';
import type { Codec, ListPage } from './codec.ts';
import { DecodeError } from './decode-error.ts';
import { enterEnvelope, enterField, pastMagic } from './envelope.ts';
import { splitFrames } from './frames.ts';
import { Interner } from './interner.ts';
import { isVersion, type ObjectFacts, type ObjectReader } from './object-reader.ts';
import {
  initialEventsEnd,
  isObjectEventType,
  objectEventKinds,
  type WatchEvent,
} from './watch-event.ts';
import { WireReader } from './wire-reader.ts';
import { absent, WirePlan, WireTape } from './wire-tape.ts';

export const protobufCodec: Codec = {
  name: 'protobuf',
  readList(body, reader) {
    const wire = new WireReader().open(body);
    enterEnvelope(wire);
    return readListMessage(wire, reader);
  },
  watchDecoder(reader) {
    const frames = splitFrames();
    const events = new EventReader(reader);
    return {
      get isWithinPiece() {
        return frames.isWithinPiece;
      },
      push(chunk, take) {
        frames.push(chunk, (bytes, start, end) => take(events.read(bytes, start, end)));
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
  if (reader.fromProtobuf === undefined)
    throw new DecodeError('This kind has no protobuf encoding');
  return reader.fromProtobuf(wire);
}

/** Reads frame after frame: the event, its envelope, and what of the object is kept. */
class EventReader<T extends ObjectFacts> {
  readonly #reader: ObjectReader<T>;
  readonly #event = new WireTape(eventPlan);
  readonly #envelope = new WireTape(envelopePlan);
  readonly #wire = new WireReader();
  /** There are five. */
  readonly #types = new Interner();

  constructor(reader: ObjectReader<T>) {
    this.#reader = reader;
  }

  read(bytes: Buffer, start: number, end: number): WatchEvent<T> {
    const event = this.#event;
    event.record(bytes, start, end);
    const body = event.find(marks.body);
    if (body === absent) throw new DecodeError('An event has no object');
    const type = event.sharedText(event.find(marks.type), this.#types);
    if (type === 'ERROR') return { kind: 'error', status: readStatus(event.bytes(body)) };
    this.#open(bytes, event.start(body), event.end(body));
    if (isObjectEventType(type)) {
      return { kind: objectEventKinds[type], object: readObject(this.#wire, this.#reader) };
    }
    if (type === 'BOOKMARK') return readBookmark(this.#wire);
    throw new DecodeError(`An event has the unknown type ${JSON.stringify(type)}`);
  }

  /** Sets the cursor to the object in an envelope. */
  #open(bytes: Buffer, start: number, end: number): void {
    const envelope = this.#envelope;
    envelope.record(bytes, pastMagic(bytes, start, end), end);
    const object = envelope.find(marks.body);
    if (object === absent) throw new DecodeError('An envelope has no object');
    this.#wire.open(bytes, envelope.start(object), envelope.end(object));
  }
}

const marks = { type: 1, body: 2 } as const;

const eventPlan = new WirePlan({
  1: { kind: 'text', mark: marks.type },
  2: { kind: 'message', plan: new WirePlan({ 1: { kind: 'text', mark: marks.body } }) },
});

const envelopePlan = new WirePlan({ 2: { kind: 'text', mark: marks.body } });

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

function readStatus(body: Uint8Array): ApiStatus {
  const status = parseStatus(body);
  if (status === undefined) throw new DecodeError('An error in a watch is not a Status');
  return status;
}
