/** A line that is dead for a while before anybody notices, and what may have happened meanwhile. */
import assert from 'node:assert/strict';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { createCluster, putObject } from '../../../../test/support/embedded-api.ts';
import { createKubeClient } from '../client/index.ts';
import { createNodeReader } from '../node/index.ts';
import { type KubeTransport, TransportError } from '../transport/index.ts';
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
  #held: PromiseWithResolvers<void> | undefined;
  #noticed = Promise.withResolvers<never>();

  constructor(inner: KubeTransport) {
    this.#inner = inner;
  }

  /** From now on requests wait, until they are let go. */
  hold(): void {
    this.#held = Promise.withResolvers();
  }

  letGo(): void {
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

/** An informer that follows a model through a line, and knows three nodes, two of which a backup lacks. */
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
    /** Another past, which comes to higher versions than the one that was lost. */
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

describe('an informer on a line that was dead for a while', () => {
  it('lists again, since the server may be another one that made up its versions', async () => {
    const { clock, line, names, restore, stop } = await setUp();
    line.goDead();
    restore();
    await clock.advance(40_000);
    line.notice();
    await clock.advance(60_000);
    assert.deepEqual(names(), restored);
    await stop();
  });

  it('lists again when the watch that it wants to go on with is answered late', async () => {
    const { clock, line, names, restore, stop } = await setUp();
    line.hold();
    line.notice();
    // The watch is asked for by now, and its answer may be of whatever the server has become.
    await clock.advance(1_500);
    restore();
    await clock.advance(10_000);
    line.letGo();
    await clock.advance(60_000);
    assert.deepEqual(names(), restored);
    await stop();
  });
});
