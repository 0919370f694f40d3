/**
 * Combines events that differ only in the note: from the tenth note within ten minutes on they are one
 * event, which counts them. Otherwise an error message with a request id would fill etcd.
 */
import type { Clock } from '@tandem/runtime';
import { boundedText, type NewEvent, noteBytesMax } from './event.ts';
import { combinedKey, eventKey } from './event-name.ts';
import { RecentMap } from './recent-map.ts';

/** As in client-go's aggregator, with its numbers. */
const notesMax = 10;
const quietMsMax = 600_000;
const groupsMax = 4_096;

const combinedPrefix = '(combined from similar events): ';

/** An event under the key of its series. */
export interface KeyedEvent {
  readonly key: string;
  readonly event: NewEvent;
}

export class SimilarEvents {
  /** The keys of events with different notes, by what they have in common. */
  readonly #groups: RecentMap<string[]>;

  constructor(clock: Clock) {
    this.#groups = new RecentMap({ clock, idleMsMax: quietMsMax, sizeMax: groupsMax });
  }

  /** The event itself, or the combined event. */
  combine(event: NewEvent): KeyedEvent {
    const key = eventKey(event);
    const group = combinedKey(event);
    const keys = this.#groups.use(group, () => [key]);
    if (keys.includes(key)) return { key, event };
    if (keys.length < notesMax - 1) {
      keys.push(key);
      return { key, event };
    }
    const note = boundedText(combinedPrefix + event.note, noteBytesMax);
    return { key: group, event: { ...event, note } };
  }
}
