/**
 * An in-memory API for events: both groups share one store, names are unique, and only the series and, in
 * the core group, its older fields may change. Tests make events expire and calls fail.
 */
import assert from 'node:assert/strict';
import { CcmError, untilAborted } from '@tandem/runtime';
import { ApiError, type Call, type KubeClient } from '../client/index.ts';
import type { ObjectReference } from './event.ts';

export interface StoredEvent {
  readonly group: string;
  readonly namespace: string;
  readonly body: EventBody;
  series: Series | undefined;
  lastTimestamp: string | undefined;
  count: number | undefined;
}

interface Series {
  readonly count: number;
  readonly lastObservedTime: string;
}

/** The fields of both groups. */
interface EventBody {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly eventTime: string;
  readonly series?: Series;
  readonly reason: string;
  readonly reportingInstance: string;
  readonly regarding?: ObjectReference;
  readonly note?: string;
  readonly reportingController?: string;
  readonly involvedObject?: ObjectReference;
  readonly message?: string;
  readonly reportingComponent?: string;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly count?: number;
}

export class EventsApi implements KubeClient {
  readonly stored: Map<string, StoredEvent> = new Map<string, StoredEvent>();
  readonly calls: Call[] = [];
  /** Called before each call takes effect: returns an error in place of an answer, or a promise of one. */
  fault: (call: Call) => Error | undefined | Promise<Error | undefined> = () => undefined;
  /** Called after each call has taken effect: returns an error in place of the answer. */
  faultAfter: (call: Call) => Error | undefined = () => undefined;

  /** By name, as the API server lists them. */
  get events(): StoredEvent[] {
    const inOrder = [...this.stored].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return inOrder.map(([, event]) => event);
  }

  get verbs(): string[] {
    return this.calls.map(({ verb, resource }) => `${resource.group} ${verb}`.trim());
  }

  /** As the API server does after an hour. */
  expireAll(): void {
    this.stored.clear();
  }

  open(): never {
    return assert.fail('opened a stream');
  }

  async call(call: Call): ReturnType<KubeClient['call']> {
    this.calls.push(call);
    assert.equal(call.priority, 'background');
    const { signal = new AbortController().signal } = call;
    const refused = await untilAborted(signal, Promise.resolve(this.fault(call)));
    if (refused !== undefined) throw refused;
    const answer = this.#answer(call);
    const lost = this.faultAfter(call);
    if (lost !== undefined) throw lost;
    return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(answer)) };
  }

  #answer({ verb, resource, body, contentType }: Call): unknown {
    const { group, namespace = '' } = resource;
    if (verb === 'create') {
      const event = structuredClone(body) as EventBody;
      const { name } = event.metadata;
      if (this.stored.has(name)) throw refusal(409);
      const { series, lastTimestamp, count } = event;
      if (group !== '') assert.deepEqual([lastTimestamp, count], [undefined, undefined]);
      this.stored.set(name, { group, namespace, body: event, series, lastTimestamp, count });
      return event;
    }
    const event = this.stored.get(resource.name ?? '');
    if (event === undefined) throw refusal(404);
    if (verb === 'patch') {
      assert.equal(contentType, 'application/merge-patch+json');
      const patch = body as Partial<EventBody>;
      const fields = group === '' ? ['series', 'lastTimestamp', 'count'] : ['series'];
      assert.deepEqual(Object.keys(patch), fields);
      Object.assign(event, patch);
    }
    return { ...event.body, series: event.series };
  }
}

export function refusal(code: number): ApiError {
  const isPassing = code === 429 || code >= 500;
  return new ApiError(`answered with ${code}`, {
    code: `Api${code}`,
    retry: isPassing ? 'backoff' : 'never',
    effect: code >= 500 ? 'unknown' : 'none',
    status: { code, reason: '', message: '', causes: [], retryAfterSeconds: undefined },
  });
}

export const unreachable: CcmError = new CcmError('refused', {
  code: 'ConnectionRefused',
  retry: 'backoff',
  effect: 'none',
});
