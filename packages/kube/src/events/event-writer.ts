/**
 * Writes one event to the API server: creates it, or continues its series if this process created it. It
 * returns the outcome and never throws for an answer. The recorder decides about retries.
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

/** `more` occurrences. The first of them starts a new event if none is stored. */
export interface EventWrite extends Pick<EventRecord, 'event' | 'reportingInstance' | 'lastMs'> {
  readonly first: EventName;
  readonly more: number;
  readonly stored: StoredEvent | undefined;
  readonly signal: AbortSignal;
}

/** An event that the API server has stored, as far as known, and its count there. */
export interface StoredEvent extends EventName {
  readonly count: number;
}

export type EventOutcome =
  | { readonly kind: 'written'; readonly verb: 'create' | 'patch'; readonly stored: StoredEvent }
  /** An event of another writer has the name. */
  | { readonly kind: 'taken' }
  /** A retry may succeed. */
  | { readonly kind: 'failed'; readonly err: unknown }
  /** A retry would be refused, too. */
  | { readonly kind: 'refused'; readonly err: CcmError };

/** For one call. Events are sent again, so a short limit loses nothing. */
const limitMs = 10_000;

export class EventWriter {
  readonly #client: KubeClient;
  readonly #logger: Logger;
  #dialect: EventDialect = coreGroup;
  #hasLogged = false;

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
      // A missing resource (404) means that an old or small API server lacks the group.
      if (this.#canUseAnother(dialect, err, [403, 404])) return this.#create(write);
      if (!hasStatus(err, 409)) throw err;
    }
    if (!(await this.#isOwn(write, record))) return { kind: 'taken' };
    // An earlier try created it, and its answer was lost. Count what has happened since.
    return record.count === 1 ? written('create', record) : this.#patch(write, record);
  }

  async #continue(write: EventWrite, stored: StoredEvent): Promise<EventOutcome> {
    try {
      const count = stored.count + write.more;
      return await this.#patch(write, recordOf(write, { ...stored, count }));
    } catch (err) {
      if (!hasStatus(err, 404)) throw err;
    }
    // The stored event has expired, so this is the first occurrence of a new one.
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
   * Core events may be forbidden: then the writer tries events.k8s.io. If that is forbidden too, the next
   * event starts with core again, because permissions may be granted later.
   */
  #canUseAnother(used: EventDialect, err: unknown, codes: readonly number[]): boolean {
    if (!codes.some((code) => hasStatus(err, code))) return false;
    const wasCore = used === coreGroup;
    this.#dialect = wasCore ? eventsGroup : coreGroup;
    if (wasCore && !this.#hasLogged) {
      this.#hasLogged = true;
      this.#logger.warn(
        { err, consequence: 'kubectl describe lists them before all other events' },
        'Fell back to events.k8s.io/v1 because core/v1 events were refused',
      );
    }
    return wasCore;
  }

  /**
   * Whether the stored event of this name is the same event. This process may lack the permission to read
   * it.
   */
  async #isOwn(write: EventWrite, record: EventRecord): Promise<boolean> {
    const dialect = this.#dialect;
    try {
      const resource = oneEvent(dialect, record);
      const answer = await this.#call(write, { verb: 'get', resource });
      return hasSameFields(answer.body, dialect.body(record));
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

/** Whether the stored event has the created fields, except for the series. */
function hasSameFields(body: Uint8Array, created: unknown): boolean {
  const stored = parseJson(body);
  return ownFields.every(
    (field) => JSON.stringify(fieldOf(stored, field)) === JSON.stringify(fieldOf(created, field)),
  );
}

/** These fields distinguish processes, times and, under either name, the note. */
const ownFields = ['reportingInstance', 'eventTime', 'reason', 'note', 'message'];

/** Conflicts and events that have just expired are temporary. */
function isFinal(err: unknown): err is CcmError {
  if (!(err instanceof CcmError) || err.retry !== 'never') return false;
  return ![404, 409].some((code) => hasStatus(err, code));
}
