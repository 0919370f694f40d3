import assert from 'node:assert/strict';
import type { AccessGap, Provider } from '@tandem/provider/plug';
import { createLogger, createMetrics } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { checkCloudAccess } from './cloud-access.ts';

const minuteMs = 60_000;

type Check = NonNullable<Provider['checkAccess']>;

/** A provider whose access check the test defines, with the resulting log and metric. */
class AccessWorld {
  readonly clock = virtualClock();
  readonly log: Record<string, unknown>[] = [];
  readonly #metrics = createMetrics();
  readonly #end = new AbortController();
  hasEnded = false;
  checks = 0;
  #ended: Promise<void> = Promise.resolve();

  start(check: Check | undefined, countRoutedNodes?: () => number | undefined): void {
    const write = (line: string): void => void this.log.push(JSON.parse(line));
    const counted: Check = (options) => {
      this.checks++;
      return check?.(options) ?? Promise.resolve();
    };
    this.#ended = checkCloudAccess({
      provider: { name: 'acme', ...(check === undefined ? {} : { checkAccess: counted }) },
      clock: this.clock,
      logger: createLogger({ clock: this.clock, destination: { write } }),
      metrics: this.#metrics,
      countRoutedNodes,
      signal: this.#end.signal,
    }).then(() => void (this.hasEnded = true));
  }

  async stop(): Promise<void> {
    this.#end.abort(new Error('the program ends'));
    await this.#ended;
  }

  messages(): unknown[] {
    return this.log.map(({ level, msg }) => `${String(level)} ${String(msg)}`);
  }

  /** Returns the result that the metric shows. */
  async result(): Promise<string | undefined> {
    const text = await this.#metrics.render();
    return /^tandem_cloud_access\{result="(\w+)"\} 1$/m.exec(text)?.[1];
  }
}

const refused: Check = () => Promise.reject(problem('the token expired', { retry: 'never' }));

function problem(message: string, facts: object): Error {
  return Object.assign(new Error(message), { code: 'AcmeTrouble', ...facts });
}

const refusedSaid = 'error Cloud refused the credentials';
const unknownSaid = 'warn Could not check the cloud credentials';
const incompleteSaid = 'warn Cloud access is incomplete';
const acceptedSaid = 'info Cloud gives the access that the manager needs';

describe('the check of the access to the cloud', () => {
  it('does nothing for a provider without an access check', async () => {
    const world = new AccessWorld();
    world.start(undefined);
    await world.clock.advance(minuteMs);
    assert.deepEqual([world.hasEnded, world.log, await world.result()], [true, [], undefined]);
  });

  it('checks once, and logs nothing, when the access is granted', async () => {
    const world = new AccessWorld();
    world.start(async () => {});
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual([world.hasEnded, world.checks, world.log], [true, 1, []]);
    assert.equal(await world.result(), 'granted');
  });

  it('logs a refusal once, with the provider’s message and advice', async () => {
    const world = new AccessWorld();
    world.start(refused);
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.messages(), [refusedSaid]);
    const [line = {}] = world.log;
    assert.match(JSON.stringify(line['err']), /the token expired/);
    assert.match(String(line['fix']), /credentials of the provider/);
    assert.equal(line['provider'], 'acme');
    assert.equal(await world.result(), 'refused');
    assert.deepEqual([world.hasEnded, world.checks], [false, 11]);
    await world.stop();
    assert.equal(world.clock.pending, 0);
  });

  it('does not count a transient failure as a refusal, and logs when access is granted again', async () => {
    const world = new AccessWorld();
    const answers: Check[] = [
      () => Promise.reject(problem('503', { retry: 'backoff' })),
      () => Promise.reject(new Error('no route')),
      refused,
      async () => {},
    ];
    world.start((options) => (answers.shift() ?? refused)(options));
    await world.clock.advance(1);
    assert.equal(await world.result(), 'unknown');
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.messages(), [unknownSaid, refusedSaid, acceptedSaid]);
    assert.deepEqual([await world.result(), world.checks, world.hasEnded], ['granted', 4, true]);
  });

  it('advises to wait when the cloud throttles', async () => {
    const world = new AccessWorld();
    world.start(() => Promise.reject(problem('429', { retry: { afterMs: 5_000 } })));
    await world.clock.advance(1);
    assert.deepEqual(world.messages(), [unknownSaid]);
    assert.match(String(world.log[0]?.['fix']), /^None: the cloud asks to be asked later/);
    await world.stop();
  });

  it('gives up on a check that never ends, and on one that throws', async () => {
    for (const check of [
      () => new Promise<void>(() => {}),
      () => {
        throw new TypeError('a mistake of the module');
      },
    ]) {
      const world = new AccessWorld();
      world.start(check);
      await world.clock.advance(31_000);
      assert.deepEqual(world.messages(), [unknownSaid]);
      await world.stop();
      assert.ok(world.hasEnded);
    }
  });

  it('logs each gap once, with its consequence', async () => {
    const world = new AccessWorld();
    const gap = (what: string): AccessGap => ({
      err: problem(`${what} is refused`, { retry: 'never' }),
      consequence: `There is no ${what}`,
    });
    const answers = [[gap('label')], [gap('label'), gap('route')], [gap('route')], []];
    world.start(async () => answers.shift());
    await world.clock.advance(1);
    assert.equal(await world.result(), 'incomplete');
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.messages(), [incompleteSaid, incompleteSaid, acceptedSaid]);
    assert.deepEqual(
      world.log.map(({ consequence }) => consequence),
      ['There is no label', 'There is no route', undefined],
    );
    assert.match(JSON.stringify(world.log[1]?.['err']), /route is refused/);
    assert.deepEqual([await world.result(), world.checks], ['granted', 4]);
  });

  it('passes the number of nodes that need routes, and waits up to ten seconds for it', async () => {
    const cases = [
      { name: 'known', knownAtMs: 0, want: 1_200, askedAtMs: 0 },
      { name: 'known soon', knownAtMs: 2_000, want: 1_200, askedAtMs: 2_000 },
      { name: 'not known', knownAtMs: Infinity, want: undefined, askedAtMs: 10_000 },
    ];
    for (const { name, knownAtMs, want, askedAtMs } of cases) {
      const world = new AccessWorld();
      const { clock } = world;
      const [startMs, asked] = [clock.monotonic(), [] as unknown[]];
      const sinceMs = (): number => clock.monotonic() - startMs;
      world.start(
        async ({ routedNodes }) => void asked.push([sinceMs(), routedNodes]),
        () => (sinceMs() >= knownAtMs ? 1_200 : undefined),
      );
      await clock.advance(minuteMs);
      assert.deepEqual(asked, [[askedAtMs, want]], name);
    }
  });

  it('logs nothing when the program ends during a check', async () => {
    const world = new AccessWorld();
    world.start(() => new Promise(() => {}));
    await world.clock.advance(1_000);
    await world.stop();
    assert.deepEqual([world.log, world.clock.pending], [[], 0]);
  });
});
