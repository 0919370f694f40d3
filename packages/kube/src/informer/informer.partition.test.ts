/** A line that is dead for a while before anybody notices, and what may have happened meanwhile. */
import assert from 'node:assert/strict';
import { createLogger, createMetrics, seededRandom, virtualClock } from '@tandem/runtime';
import { apiModel } from '../../../../test/support/api-model/index.ts';
import { createKubeClient } from '../client/index.ts';
import { createNodeReader } from '../codec/index.ts';
import { type KubeTransport, TransportError } from '../transport/index.ts';
import { createInformerMetrics } from './informer-metrics.ts';
import { Informer } from './informer.ts';

const lost = new TransportError('The line is dead', {
  code: 'ConnectionLost',
  retry: 'backoff',
  effect: 'unknown',
});

/** A line that can go dead: nothing passes any more, and only later is that noticed. */
class Line implements KubeTransport {
  readonly #inner: KubeTransport;
  #isDead = false;
  #noticed = Promise.withResolvers<never>();

  constructor(inner: KubeTransport) {
    this.#inner = inner;
  }

  goDead(): void {
    this.#isDead = true;
  }

  notice(): void {
    const { reject } = this.#noticed;
    this.#isDead = false;
    this.#noticed = Promise.withResolvers<never>();
    reject(lost);
  }

  async send(request: Parameters<KubeTransport['send']>[0]) {
    const response = await this.#inner.send(request);
    return { ...response, body: this.#pass(response.body) };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async *#pass(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { promise } = this.#noticed;
    promise.catch(() => {});
    const chunks = body[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([chunks.next(), promise]);
      if (this.#isDead) await promise;
      if (next.done === true) return;
      yield next.value;
    }
  }
}

describe('an informer on a line that was dead for a while', () => {
  it('lists again, since the server may be another one that made up its versions', async () => {
    const clock = virtualClock({ startMs: Date.UTC(2026, 2, 1) });
    const random = seededRandom('partition');
    const model = apiModel({ clock, random });
    const line = new Line(model.connect());
    const put = (name: string): void => {
      const creationTimestamp = '2026-03-01T00:00:00Z';
      model.store.put('nodes', name, {
        metadata: { name, uid: `uid of ${name}`, creationTimestamp },
      });
    };
    const informer = new Informer({
      client: createKubeClient({ transport: line, clock, random, metrics: createMetrics() }),
      clock,
      random,
      logger: createLogger({ clock, destination: { write: () => {} } }),
      metrics: createInformerMetrics(createMetrics()),
      resource: { group: '', version: 'v1', resource: 'nodes' },
      reader: createNodeReader(),
      encoding: 'json',
    });
    const stop = new AbortController();
    put('kept');
    const backup = model.store.snapshot();
    const running = informer.run(stop.signal);
    await clock.advance(1_000);
    for (const name of ['lost-1', 'lost-2']) put(name);
    await clock.advance(1_000);
    assert.equal([...informer.list()].length, 3);

    line.goDead();
    model.store.restore(backup);
    for (const name of ['new-1', 'new-2', 'new-3', 'new-4']) put(name);
    await clock.advance(40_000);
    line.notice();
    await clock.advance(60_000);
    const held = [...informer.list()].map(({ name }) => name).toSorted();
    assert.deepEqual(held, ['kept', 'new-1', 'new-2', 'new-3', 'new-4']);
    stop.abort();
    await running;
  });
});
