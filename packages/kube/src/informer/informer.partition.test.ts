/** Tests an informer whose connection is dead for a while before the informer notices. */
import assert from 'node:assert/strict';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { createCluster, putObject } from '../../../../test/support/embedded-api.ts';
import { createKubeClient } from '../client/index.ts';
import { createNodeReader } from '../node/index.ts';
import { type KubeTransport, TransportError } from '../transport/index.ts';
import { Informer } from './informer.ts';

const lost = new TransportError('The connection is dead', {
  code: 'ConnectionLost',
  retry: 'backoff',
  effect: 'unknown',
});

/** A connection that can go dead: no bytes pass, and the client notices only later. */
class Line implements KubeTransport {
  readonly #inner: KubeTransport;
  #isDead = false;
  #held: PromiseWithResolvers<void> | undefined;
  #noticed = Promise.withResolvers<never>();

  constructor(inner: KubeTransport) {
    this.#inner = inner;
  }

  /** Requests wait from now on, until `release`. */
  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
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
    await this.#held?.promise;
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

/** An informer that has synced three nodes. A backup of the server lacks two of them. */
async function setUp() {
  const clock = virtualClock({ startMs: Date.UTC(2026, 2, 1) });
  const random = seededRandom('partition');
  const model = createCluster({ clock, random });
  const line = new Line(model.connect());
  const put = (...names: readonly string[]): void => {
    const creationTimestamp = '2026-03-01T00:00:00Z';
    for (const name of names) {
      const metadata = { name, uid: `uid of ${name}`, creationTimestamp };
      putObject(model, 'nodes', { metadata });
    }
  };
  const informer = new Informer({
    client: createKubeClient({ transport: line, clock, random, metrics: createMetrics() }),
    clock,
    random,
    logger: createLogger({ clock, destination: { write: () => {} } }),
    metrics: createMetrics(),
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader: createNodeReader(),
    encoding: 'json',
  });
  const stopping = new AbortController();
  put('kept');
  const backup = model.store.snapshot();
  const running = informer.run(stopping.signal);
  await clock.advance(1_000);
  put('lost-1', 'lost-2');
  await clock.advance(1_000);
  const names = (): string[] => [...informer.list()].map(({ name }) => name).toSorted();
  assert.equal(names().length, 3);
  return {
    clock,
    line,
    names,
    /** Restores the backup, and writes until the versions are higher than those of the lost state. */
    restore: (): void => {
      model.store.restore(backup);
      put('new-1', 'new-2', 'new-3', 'new-4');
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

const restored = ['kept', 'new-1', 'new-2', 'new-3', 'new-4'];

describe('an informer whose connection was dead for a while', () => {
  it('lists again, because a restored server may have used the lost versions again', async () => {
    const { clock, line, names, restore, stop } = await setUp();
    line.goDead();
    restore();
    await clock.advance(40_000);
    line.notice();
    await clock.advance(60_000);
    assert.deepEqual(names(), restored);
    await stop();
  });

  it('lists again if the answer to its resumed watch is late', async () => {
    const { clock, line, names, restore, stop } = await setUp();
    line.hold();
    line.notice();
    // The informer has requested the watch by now. Its answer may come from a restored server.
    await clock.advance(1_500);
    restore();
    await clock.advance(10_000);
    line.release();
    await clock.advance(60_000);
    assert.deepEqual(names(), restored);
    await stop();
  });
});
