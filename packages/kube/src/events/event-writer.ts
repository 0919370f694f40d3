/**
 * Writes one event to the API server: creates it, or continues its series where it is there already,
 * by this process or another. It says what came of it and never throws for an answer; when to try
 * again is the recorder's business.
 */
import { CcmError, type Logger } from '@tandem/runtime';
import { ApiError, type Call, type KubeClient, type Resource } from '../client/index.ts';
import {
  coreGroup,
  type EventDialect,
  type EventRecord,
  eventsGroup,
  eventsResource,
  seriesPatch,
} from './event-dialect.ts';

/** What is to be written: `stored` occurrences are thought to be there, `more` are new. */
export interface EventWrite extends Omit<EventRecord, 'count'> {
  readonly stored: number;
  readonly more: number;
  readonly signal: AbortSignal;
}

export type EventOutcome =
  | { readonly kind: 'written'; readonly verb: 'create' | 'patch'; readonly count: number }
  /** It may go better later. */
  | { readonly kind: 'failed'; readonly err: unknown }
  /** It would be refused again. */
  | { readonly kind: 'refused'; readonly err: CcmError };

/** For one call; events are sent again, so a short limit loses nothing. */
const limitMs = 10_000;

export class EventWriter {
  readonly #client: KubeClient;
  readonly #logger: Logger;
  #dialect: EventDialect = eventsGroup;
  #hasSaidSo = false;

  constructor(client: KubeClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  async write(write: EventWrite): Promise<EventOutcome> {
    try {
      return await (write.stored > 0 ? this.#continue(write) : this.#create(write));
    } catch (err) {
      return isFinal(err) ? { kind: 'refused', err } : { kind: 'failed', err };
    }
  }

  async #create(write: EventWrite): Promise<EventOutcome> {
    const record = { ...write, count: write.more };
    const dialect = this.#dialect;
    const resource = eventsResource(dialect, record);
    try {
      await this.#call(write, { verb: 'create', resource, body: dialect.body(record) });
      return { kind: 'written', verb: 'create', count: write.more };
    } catch (err) {
      // Nothing that is created can be missing but the group itself.
      if (this.#canUseAnother(dialect, err, [403, 404])) return this.#create(write);
      if (!hasStatus(err, 409)) throw err;
    }
    const stored = await this.#storedCount(write);
    return this.#patch({ ...write, count: stored + write.more });
  }

  async #continue(write: EventWrite): Promise<EventOutcome> {
    try {
      return await this.#patch({ ...write, count: write.stored + write.more });
    } catch (err) {
      if (!hasStatus(err, 404)) throw err;
    }
    // Events expire an hour after their last change; what is said now is said for the first time.
    return this.#create(write);
  }

  async #patch(record: EventRecord & Pick<EventWrite, 'signal'>): Promise<EventOutcome> {
    const dialect = this.#dialect;
    try {
      await this.#call(record, {
        verb: 'patch',
        resource: oneEvent(dialect, record),
        body: seriesPatch(record),
        contentType: 'application/merge-patch+json',
      });
      return { kind: 'written', verb: 'patch', count: record.count };
    } catch (err) {
      if (!this.#canUseAnother(dialect, err, [403])) throw err;
    }
    return this.#patch(record);
  }

  /**
   * The group may be forbidden, or absent on an old or a small API server: then core is tried. Where
   * core is closed too, the next event begins with the group again, because rights may still come.
   */
  #canUseAnother(used: EventDialect, err: unknown, codes: readonly number[]): boolean {
    if (!codes.some((code) => hasStatus(err, code))) return false;
    const wasGroup = used === eventsGroup;
    this.#dialect = wasGroup ? coreGroup : eventsGroup;
    if (wasGroup && !this.#hasSaidSo) {
      this.#hasSaidSo = true;
      this.#logger.warn({ err }, 'Fell back to core/v1 events because events.k8s.io was refused');
    }
    return wasGroup;
  }

  /** How often an event that somebody else began was seen; reading may be forbidden to us. */
  async #storedCount(write: EventWrite): Promise<number> {
    const record = { ...write, count: write.more };
    try {
      const answer = await this.#call(write, {
        verb: 'get',
        resource: oneEvent(this.#dialect, record),
      });
      return seriesCount(answer.body);
    } catch (err) {
      if (hasStatus(err, 403)) return 1;
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

function seriesCount(body: Uint8Array): number {
  const event: unknown = JSON.parse(new TextDecoder().decode(body));
  const series = memberOf(event, 'series');
  const count = memberOf(series, 'count');
  return typeof count === 'number' ? count : 1;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function hasStatus(err: unknown, code: number): boolean {
  return err instanceof ApiError && err.status.code === code;
}

/** A rotated token, a conflict and an event that expired this very moment are things that pass. */
function isFinal(err: unknown): err is CcmError {
  if (!(err instanceof CcmError) || err.retry !== 'never') return false;
  return ![401, 404, 409].some((code) => hasStatus(err, code));
}
