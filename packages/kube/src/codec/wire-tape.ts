/**
 * Where the wanted fields of one protobuf message lie, at any depth. A plan says which these are and
 * gives each a mark; one loop notes them in their order and passes over all others, whose bytes are
 * neither copied nor looked at. A message within is noted after its fields. Whoever builds an object
 * then goes through the notes once and decodes what it keeps; until then the bytes must not change.
 * One tape serves message after message, so that reading allocates nothing but what is kept.
 *
 * It is one loop over plain numbers because a list arrives while the program is still cold: a reader for
 * each kind of message costs more to compile, for a list of thousands, than it then takes to run.
 */
import { DecodeError } from './decode-error.ts';
import type { Interner } from './interner.ts';

/** What is wanted of a field: a text or a number to be noted, or a message with what is wanted of it. */
export type WantedField =
  | { readonly kind: 'text' | 'number'; readonly mark: number }
  /** The message itself is noted only where it has a mark. */
  | { readonly kind: 'message'; readonly mark?: number; readonly plan: WirePlan };

/** The wanted fields of a message by their numbers, which are below 32. Marks are above zero. */
export class WirePlan {
  readonly kinds: Uint8Array = new Uint8Array(numbersMax);
  readonly marks: Int32Array = new Int32Array(numbersMax);
  readonly plans: (WirePlan | undefined)[] = Array.from({ length: numbersMax });

  constructor(fields: Readonly<Record<number, WantedField>>) {
    for (const [key, field] of Object.entries(fields)) {
      const number = Number(key);
      this.kinds[number] = kinds[field.kind];
      this.marks[number] = field.mark ?? 0;
      if (field.kind === 'message') this.plans[number] = field.plan;
    }
  }
}

/** One of the notes on a tape, by its position. */
export type Note = number;

/** In place of a field that is not there: an empty text, and zero. */
export const absent: Note = -1;

export class WireTape {
  readonly #plan: WirePlan;
  #bytes: Buffer = nothing;
  #notes: Int32Array = new Int32Array(notesMin * noteLength);
  #length = 0;
  /** Where the number ends that was read last. */
  #position = 0;

  constructor(plan: WirePlan) {
    this.#plan = plan;
  }

  /** How many notes there are. */
  get length(): number {
    return this.#length;
  }

  /** Takes note of the message that lies in `bytes` from `start` to `end`, in place of the one before. */
  record(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes;
    this.#length = 0;
    this.#length = this.#walk(this.#plan, start, end, 0);
  }

  mark(note: Note): number {
    return this.#notes[note * noteLength] ?? 0;
  }

  /**
   * Bytes that are not UTF-8 become replacement characters, as in the API server's JSON: it stores
   * what a client sent, and one such annotation must not blind us to all nodes.
   */
  text(note: Note): string {
    if (note === absent) return '';
    return this.#bytes.toString('utf8', this.start(note), this.end(note));
  }

  /** A text that many objects share: kept once, and not even decoded when it is known. */
  sharedText(note: Note, interner: Interner): string {
    if (note === absent) return '';
    return interner.fromBytes(this.#bytes, this.start(note), this.end(note));
  }

  /** A signed whole number. Beyond 2^53 it is not exact, which no field that is read reaches. */
  integer(note: Note): number {
    if (note === absent) return 0;
    let low = 0;
    let high = 0;
    let shift = 0;
    // Negative numbers come as their two's complement in 64 bits, always ten bytes long.
    for (let index = this.start(note); index < this.end(note); index += 1) {
      const bits = (this.#bytes[index] ?? 0) & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else high |= bits << (shift - 32);
      shift += 7;
    }
    return high * 2 ** 32 + (low >>> 0);
  }

  /** The note with this mark, the last one if there are several, or `absent`. */
  find(mark: number): Note {
    let note = this.#length - 1;
    while (note >= 0 && this.mark(note) !== mark) note -= 1;
    return note;
  }

  /** Where a field begins, behind its length. */
  start(note: Note): number {
    return this.#notes[note * noteLength + 1] ?? 0;
  }

  end(note: Note): number {
    return this.#notes[note * noteLength + 2] ?? 0;
  }

  /** A field as it is, in place. */
  bytes(note: Note): Uint8Array {
    return this.#bytes.subarray(this.start(note), this.end(note));
  }

  /**
   * Notes what is wanted of a message behind so many notes, and gives how many there are then: a count
   * that went from call to call in a field would cost more than the notes themselves.
   */
  #walk(plan: WirePlan, start: number, end: number, before: number): number {
    const bytes = this.#bytes;
    let count = before;
    let position = start;
    while (position < end) {
      // Most numbers here are tags of one byte, and lengths of one or two.
      let tag = bytes[position] ?? 0;
      position += 1;
      if (tag >= 128) {
        tag = this.#unsigned(position - 1, end);
        position = this.#position;
      }
      const number = tag >>> 3;
      const kind = number < numbersMax ? (plan.kinds[number] ?? kinds.none) : kinds.none;
      if ((tag & 7) !== wireTypes.delimited || number === 0) {
        const after = this.#pastPlain(tag, position, end);
        if (kind !== kinds.none) count = this.#notePlain(plan, tag, position, after, count);
        position = after;
        continue;
      }
      let length = position < end ? (bytes[position] ?? 0) : 128;
      position += 1;
      if (length >= 128) {
        const high = position < end ? (bytes[position] ?? 0) : 128;
        if (high < 128) {
          length = (length & 127) | (high << 7);
          position += 1;
        } else {
          length = this.#unsigned(position - 1, end);
          position = this.#position;
        }
      }
      const after = position + length;
      if (after > end) throw new DecodeError('A field extends past the end of its message');
      if (kind !== kinds.none) {
        if (kind === kinds.number) throw wrongType(tag);
        if (kind === kinds.message) {
          count = this.#walk(plan.plans[number] ?? nothingWanted, position, after, count);
        }
        const mark = plan.marks[number] ?? 0;
        if (mark > 0) count = this.#note(count, mark, position, after);
      }
      position = after;
    }
    return count;
  }

  /** Where a field ends that has no length in front of it. */
  #pastPlain(tag: number, start: number, end: number): number {
    if (tag < 8) throw new DecodeError('A field has the number 0');
    switch (tag & 7) {
      case wireTypes.varint:
        this.#unsigned(start, end);
        return this.#position;
      case wireTypes.fixed64:
        return within(start + 8, end);
      case wireTypes.fixed32:
        return within(start + 4, end);
      default:
        throw new DecodeError(`A field has the unknown wire type ${tag & 7}`);
    }
  }

  #notePlain(plan: WirePlan, tag: number, start: number, end: number, count: number): number {
    const number = tag >>> 3;
    const isNumber = plan.kinds[number] === kinds.number && (tag & 7) === wireTypes.varint;
    if (!isNumber) throw wrongType(tag);
    return this.#note(count, plan.marks[number] ?? 0, start, end);
  }

  /** Reads a number, and leaves behind where it ends. */
  #unsigned(start: number, end: number): number {
    let value = 0;
    let position = start;
    for (let scale = 1; scale <= lastScale; scale *= 128) {
      if (position >= end) throw new DecodeError('A number extends past the end of its message');
      const byte = this.#bytes[position] ?? 0;
      position += 1;
      value += (byte & 127) * scale;
      if (byte < 128) {
        this.#position = position;
        return value;
      }
    }
    throw new DecodeError('A number is longer than ten bytes');
  }

  #note(count: number, mark: number, start: number, end: number): number {
    const place = count * noteLength;
    if (place === this.#notes.length) this.#grow();
    const notes = this.#notes;
    notes[place] = mark;
    notes[place + 1] = start;
    notes[place + 2] = end;
    return count + 1;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#notes.length);
    larger.set(this.#notes);
    this.#notes = larger;
  }
}

function within(after: number, end: number): number {
  if (after > end) throw new DecodeError('A field extends past the end of its message');
  return after;
}

function wrongType(tag: number): DecodeError {
  return new DecodeError(`The field ${tag >>> 3} cannot have the wire type ${tag & 7}`);
}

const nothing = Buffer.alloc(0);

/** No field that anybody wants has a higher number. */
const numbersMax = 32;

const kinds = { none: 0, text: 1, number: 2, message: 3 } as const;

const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

/** Of the tenth and last byte of a number. */
const lastScale = 128 ** 9;

/** A note has a mark, and where its field begins and ends. */
const noteLength = 3;

/** Enough for a usual node. */
const notesMin = 128;

const nothingWanted = new WirePlan({});
