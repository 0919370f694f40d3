/**
 * Writes one event to the API server: creates it, or continues its series where this process created
 * it. It says what came of it and never throws for an answer; when to try again is the recorder's
 * business.
 */
import { CcmError, fieldOf, type Logger } from '@tandem/runtime';
import { type Call, hasStatus, type KubeClient, type Resource } from '../client/index.ts';
import { parseJson } from '../codec/index.ts';
import {
  coreGroup,
  type EventDialect,
  type EventRecord,
  eventsGroup,
  eventsResource,
} from './event-dialect.ts';
import type { EventName } from './event-name.ts';

/** What is to be written: `more` occurrences, the first of which is a new event's if none is stored. */
export interface EventWrite extends Pick<EventRecord, 'event' | 'reportingInstance' | 'lastMs'> {
  readonly first: EventName;
  readonly more: number;
  readonly stored: StoredEvent | undefined;
  readonly signal: AbortSignal;
}

/** An event that is thought to be there, and how many occurrences the API server knows of. */
export interface StoredEvent extends EventName {
  readonly count: number;
}

export type EventOutcome =
  | { readonly kind: 'written'; readonly verb: 'create' | 'patch'; readonly stored: StoredEvent }
  /** Another writer's event has the name. */
  | { readonly kind: 'taken' }
  /** It may go better later. */
  | { readonly kind: 'failed'; readonly err: unknown }
  /** It would be refused again. */
  | { readonly kind: 'refused'; readonly err: CcmError };

/** For one call; events are sent again, so a short limit loses nothing. */
const limitMs = 10_000;

export class EventWriter {
  readonly #client: KubeClient;
  readonly #logger: Logger;
  #dialect: EventDialect = coreGroup;
  #hasSaidSo = false;

  constructor(client: KubeClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  async write(write: EventWrite): Promise<EventOutcome> {
    try {
      const { stored } = write;
      return await (stored === undefined ? this.#create(write) : this.#continue(write, stored));
    } catch (err) {
      return isFinal(err) ? { kind: 'refused', err } : { kind: 'failed', err };
    }
  }

  async #create(write: EventWrite): Promise<EventOutcome> {
    const record = recordOf(write, { ...write.first, count: write.more });
    const dialect = this.#dialect;
    const resource = eventsResource(dialect, record);
    try {
      await this.#call(write, { verb: 'create', resource, body: dialect.body(record) });
      return written('create', record);
    } catch (err) {
      // Nothing that is created can be missing but the group, on an old or a small API server.
      if (this.#canUseAnother(dialect, err, [403, 404])) return this.#create(write);
      if (!hasStatus(err, 409)) throw err;
    }
    if (!(await this.#isOwn(write, record))) return { kind: 'taken' };
    // The answer to an earlier try was lost. What has happened since is counted.
    return record.count === 1 ? written('create', record) : this.#patch(write, record);
  }

  async #continue(write: EventWrite, stored: StoredEvent): Promise<EventOutcome> {
    try {
      const count = stored.count + write.more;
      return await this.#patch(write, recordOf(write, { ...stored, count }));
    } catch (err) {
      if (!hasStatus(err, 404)) throw err;
    }
    // Events expire an hour after their last change; what is said now is said for the first time.
    return this.#create(write);
  }

  async #patch(write: EventWrite, record: EventRecord): Promise<EventOutcome> {
    const dialect = this.#dialect;
    try {
      await this.#call(write, {
        verb: 'patch',
        resource: oneEvent(dialect, record),
        body: dialect.patch(record),
        contentType: 'application/merge-patch+json',
      });
      return written('patch', record);
    } catch (err) {
      if (!this.#canUseAnother(dialect, err, [403])) throw err;
    }
    return this.#patch(write, record);
  }

  /**
   * Core events may be forbidden: then events.k8s.io is tried. Where that is closed too, the next event
   * begins with core again, because rights may still come.
   */
  #canUseAnother(used: EventDialect, err: unknown, codes: readonly number[]): boolean {
    if (!codes.some((code) => hasStatus(err, code))) return false;
    const wasCore = used === coreGroup;
    this.#dialect = wasCore ? eventsGroup : coreGroup;
    if (wasCore && !this.#hasSaidSo) {
      this.#hasSaidSo = true;
      this.#logger.warn(
        { err, consequence: 'kubectl describe lists them before all other events' },
        'Fell back to events.k8s.io/v1 because core/v1 events were refused',
      );
    }
    return wasCore;
  }

  /** Whether the event that has the name is this one; reading may be forbidden to us. */
  async #isOwn(write: EventWrite, record: EventRecord): Promise<boolean> {
    const dialect = this.#dialect;
    try {
      const resource = oneEvent(dialect, record);
      const answer = await this.#call(write, { verb: 'get', resource });
      return isSaying(answer.body, dialect.body(record));
    } catch (err) {
      if (hasStatus(err, 403)) return true;
      throw err;
    }
  }

  #call({ signal }: Pick<EventWrite, 'signal'>, call: Call): ReturnType<KubeClient['call']> {
    return this.#client.call({ ...call, priority: 'background', limitMs, signal });
  }
}

function oneEvent(dialect: EventDialect, record: EventRecord): Resource {
  return { ...eventsResource(dialect, record), name: record.name };
}

function recordOf(
  { event, reportingInstance, lastMs }: EventWrite,
  stored: StoredEvent,
): EventRecord {
  return { ...stored, event, reportingInstance, lastMs };
}

function written(verb: 'create' | 'patch', { name, timeMicros, count }: EventRecord): EventOutcome {
  return { kind: 'written', verb, stored: { name, timeMicros, count } };
}

/** Whether the stored event has every field that was to be created, the series aside. */
function isSaying(body: Uint8Array, created: unknown): boolean {
  const stored = parseJson(body);
  return ownFields.every(
    (field) => JSON.stringify(fieldOf(stored, field)) === JSON.stringify(fieldOf(created, field)),
  );
}

/** They tell apart processes, times and, by either group's name for it, what is said. */
const ownFields = ['reportingInstance', 'eventTime', 'reason', 'note', 'message'];

/** A conflict and an event that expired this very moment are things that pass. */
function isFinal(err: unknown): err is CcmError {
  if (!(err instanceof CcmError) || err.retry !== 'never') return false;
  return ![404, 409].some((code) => hasStatus(err, code));
}
