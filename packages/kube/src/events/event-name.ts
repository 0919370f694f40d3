/**
 * The key and the name of an event. The key derives from the contents, so that the recorder finds a
 * repeated event. The name consists of the name of the object and the time, as in client-go: the API
 * server lists events by name, and `kubectl describe` sorts them by a timestamp in whole seconds, so that
 * the events of one second keep the order of their names.
 */
import { hash } from 'node:crypto';
import type { Clock, Random } from '@tandem/runtime';
import { namespaceOf, type NewEvent } from './event.ts';

export function eventKey(event: NewEvent): string {
  return keyOf(event, event.note);
}

/** The key of the event that combines all events that differ only in the note. */
export function combinedKey(event: NewEvent): string {
  return keyOf(event, undefined);
}

function keyOf(event: NewEvent, note: string | undefined): string {
  const { regarding, type, reason, action, reportingController } = event;
  const { apiVersion, kind, name, uid } = regarding;
  const about = [apiVersion, kind, namespaceOf(regarding), name, uid];
  const content = [reportingController, type, reason, action, note ?? null];
  return hash('sha256', JSON.stringify([about, content]), 'hex').slice(0, keyLength);
}

/** 64 bits: two of a million events share a key with a probability of one in 37 million. */
const keyLength = 16;

export interface EventName {
  readonly name: string;
  /** The time of the event, which is part of the name: microseconds since the epoch. */
  readonly timeMicros: number;
}

export class EventNames {
  readonly #clock: Clock;
  readonly #random: Random;
  #lastMicros = 0;

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * A name for an event that happens now. It sorts after all earlier names, because no two get the same
   * microsecond. The nanoseconds are random, so that two processes differ.
   */
  next({ regarding }: Pick<NewEvent, 'regarding'>): EventName {
    const nowMicros = Math.floor(this.#clock.now() * 1_000);
    const timeMicros = Math.max(nowMicros, this.#lastMicros + 1);
    this.#lastMicros = timeMicros;
    const nanos = BigInt(timeMicros) * 1_000n + BigInt(Math.floor(this.#random.next() * 1_000));
    const hex = nanos.toString(16).padStart(hexLength, '0');
    return { name: `${shortened(regarding.name)}.${hex}`, timeMicros };
  }
}

/** Enough until the year 2554. */
const hexLength = 16;

/** Names are at most 253 characters, and no part of one ends in a dot or a dash. */
const nameLengthMax = 253;

function shortened(name: string): string {
  return name.slice(0, nameLengthMax - hexLength - 1).replace(/[.-]+$/, '');
}
