import assert from 'node:assert/strict';
import type { InstanceKey } from '../plug/index.ts';
import { aLookup, aNode, type TestLookup } from './lookup.fixture.ts';
import { everythingPauseMs, type Notice, noticeKeysMax, noticeWindowMs } from './notices.ts';

interface NoticedLookup extends TestLookup {
  readonly hint: (...keys: readonly InstanceKey[]) => void;
  readonly heard: { readonly atMs: number; readonly keys: readonly string[] | 'anything' }[];
  readonly signal: AbortSignal;
}

function aScene(): NoticedLookup {
  let hint: (keys: readonly InstanceKey[]) => void = () => {};
  let watching: AbortSignal | undefined;
  const scene = aLookup({
    watch(onChange, { signal }) {
      hint = onChange;
      watching = signal;
    },
  });
  const heard: NoticedLookup['heard'] = [];
  scene.lookup.subscribe(({ keys, sinceMs }: Notice) => {
    assert.ok(sinceMs <= scene.clock.monotonic());
    heard.push({ atMs: scene.clock.monotonic(), keys: keys.size === 0 ? 'anything' : [...keys] });
  });
  assert.ok(watching !== undefined, 'it watches from the start');
  return { ...scene, hint: (...keys) => hint(keys), heard, signal: watching };
}

describe('hints that instances may have changed', () => {
  it('become one notice if they arrive within a moment', async () => {
    const { clock, hint, heard, metric } = aScene();
    hint('a');
    await clock.advance(100);
    hint('b', 'a');
    hint('c');
    await clock.advance(10_000);
    assert.deepEqual(heard, [{ atMs: noticeWindowMs, keys: ['a', 'b', 'c'] }]);
    hint('a');
    await clock.advance(noticeWindowMs);
    assert.equal(heard.length, 2, 'the next one is not delayed further');
    assert.equal(await metric('tandem_cloud_notices_total{provider="test"}'), '4');
  });

  it('become a notice with the time of the last hint', async () => {
    const { clock, hint, lookup } = aScene();
    const times: number[] = [];
    lookup.subscribe(({ sinceMs }) => times.push(sinceMs));
    hint('a');
    await clock.advance(200);
    hint('b');
    await clock.advance(1_000);
    assert.deepEqual(times, [200]);
  });

  it('about any instance become only a few notices a minute, however many arrive', async () => {
    const { clock, hint, heard } = aScene();
    for (let second = 0; second < 60; second++) {
      hint();
      await clock.advance(1_000);
    }
    assert.ok(heard.every(({ keys }) => keys === 'anything'));
    assert.equal(heard.length, 60_000 / everythingPauseMs);
    await clock.advance(60_000);
    assert.equal(
      heard.length,
      60_000 / everythingPauseMs + 1,
      'the last one becomes a notice, too',
    );
  });

  it('about single instances do not wait for those about any instance', async () => {
    const { clock, hint, heard } = aScene();
    hint();
    await clock.advance(1_000);
    hint();
    hint('a');
    await clock.advance(noticeWindowMs);
    assert.deepEqual(
      heard.map(({ keys }) => keys),
      ['anything', ['a']],
    );
    await clock.advance(everythingPauseMs);
    assert.equal(heard.at(-1)?.keys, 'anything');
    assert.equal(heard.length, 3);
  });

  it('become a notice about any instance if there are too many keys', async () => {
    const { clock, hint, heard } = aScene();
    for (let index = 0; index <= noticeKeysMax; index++) hint(`i-${index}`);
    await clock.advance(1_000);
    assert.deepEqual(heard, [{ atMs: noticeWindowMs, keys: 'anything' }]);
  });

  const nonsense = [undefined, 'a', [7], ['a', ''], [null], {}];
  for (const given of nonsense) {
    it(`become a notice about any instance if they are malformed: ${JSON.stringify(given)}`, async () => {
      let hint: (keys: never) => void = () => {};
      const { clock, lookup } = aLookup({ watch: (onChange) => (hint = onChange) });
      const heard: number[] = [];
      lookup.subscribe(({ keys }) => heard.push(keys.size));
      hint(given as never);
      await clock.advance(1_000);
      assert.deepEqual(heard, [0]);
    });
  }

  it('have no effect after the look-up is closed', async () => {
    const { clock, hint, heard, lookup, signal } = aScene();
    hint('a');
    lookup.close();
    assert.ok(signal.aborted);
    hint('b');
    await clock.advance(10_000);
    assert.deepEqual(heard, []);
    assert.equal(clock.pending, 0);
  });

  it('are not passed to a listener that has unsubscribed', async () => {
    const { clock, hint, lookup } = aScene();
    let count = 0;
    const unsubscribe = lookup.subscribe(() => count++);
    hint('a');
    await clock.advance(1_000);
    unsubscribe();
    hint('a');
    await clock.advance(1_000);
    assert.equal(count, 1);
  });

  const trouble = new Error('no events here');
  const broken: Record<string, () => unknown> = {
    throws: () => {
      throw trouble;
    },
    // An async function rejects.
    rejects: () => Promise.reject(trouble),
  };
  for (const [does, watch] of Object.entries(broken)) {
    it(`are missing, with one line in the log, if the provider’s watch ${does}`, async () => {
      const { clock, lookup, calls, log } = aLookup({ watch: () => watch() });
      const asking = lookup.ask(aNode('a'), { maxAgeMs: 0 });
      await clock.advance(10);
      calls[0]?.find();
      assert.equal((await asking).kind, 'found');
      const lines = log.map(({ level, msg }) => [level, msg]);
      assert.deepEqual(lines, [['warn', 'Provider cannot watch for changes, relying on polls']]);
    });
  }

  it('remove only the named instances from the cache', async () => {
    const { clock, hint, lookup, calls } = aScene();
    const nodes = ['a', 'b'].map((name) => aNode(name, { providerID: `test:///${name}` }));
    const ask = (maxAgeMs: number): Promise<unknown> =>
      Promise.all(nodes.map((node) => lookup.ask(node, { maxAgeMs })));
    const asking = ask(0);
    await clock.advance(10);
    calls[0]?.find();
    await asking;
    hint('test:///a');
    await clock.advance(noticeWindowMs);
    void ask(60_000);
    await clock.advance(10);
    assert.deepEqual(calls[1]?.nodes, ['a']);
  });

  it('keep the answers of calls that began before them out of the cache', async () => {
    const { clock, hint, lookup, calls } = aScene();
    const node = aNode('a', { providerID: 'test:///a' });
    const asking = lookup.ask(node, { maxAgeMs: 60_000 });
    await clock.advance(10);
    hint('test:///a');
    await clock.advance(noticeWindowMs);
    calls[0]?.find();
    assert.equal((await asking).kind, 'found');
    void lookup.ask(node, { maxAgeMs: 60_000 });
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });
});
