import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { Board } from './board/index.ts';
import { Store } from '../store/index.ts';
import type { Machine } from './machines/index.ts';
import { type UserEdits, Progress } from './progress.ts';

const machines: readonly Machine[] = ['a', 'b'].map((name) => ({
  name,
  group: 'further',
  instance: { kind: 'none' },
  nodeIP: null,
  annotations: {},
  expected: { state: 'ready', addresses: ['10.0.0.1'], stack: 'SS IPv4' },
  expectedPodCIDRs: { families: [], code: null },
}));

function begin(userEdits: UserEdits) {
  const clock = virtualClock();
  const store = new Store();
  const board = new Board({
    store,
    findNodeIP: () => null,
    findAddresses: () => undefined,
    rankOf: () => 0,
  });
  const progress = new Progress({ machines, board, clock, userEdits });
  const put = (name: string, address: string): void => {
    store.collection('nodes').put({
      metadata: { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
      status: { addresses: [{ type: 'InternalIP', address }] },
    });
  };
  const stop = new AbortController();
  const seen: { tookMs?: number } = {};
  void progress.whenConverged(stop.signal).then(
    (tookMs) => (seen.tookMs = tookMs),
    () => undefined,
  );
  return { clock, store, progress, put, seen };
}

describe('progress', () => {
  it('has converged when every node is as expected and stays so', async () => {
    const { clock, put, progress, seen } = begin('impossible');
    put('a', '10.0.0.1');
    assert.deepEqual([progress.done, progress.total], [1, 2]);
    await clock.advance(1_000);
    put('b', '10.0.0.1');
    await clock.advance(100);
    assert.equal(progress.tookMs, undefined);
    await clock.advance(1_000);
    assert.deepEqual([seen.tookMs, progress.tookMs], [1_000, 1_000]);
    assert.deepEqual(progress.differences(), []);
  });

  it('has not converged while a node is as expected only for a moment', async () => {
    const { clock, put, progress, seen } = begin('impossible');
    put('a', '10.0.0.1');
    put('b', '10.0.0.1');
    await clock.advance(100);
    put('a', '10.0.0.2');
    await clock.advance(10_000);
    assert.equal(seen.tookMs, undefined);
    assert.deepEqual(
      progress.differences().map(({ node }) => node),
      ['a'],
    );
    put('a', '10.0.0.1');
    await clock.advance(1_000);
    assert.equal(seen.tookMs, 10_100);
  });

  it('is not held up by users who change or delete nodes meanwhile', async () => {
    const { clock, put, store, seen } = begin('possible');
    put('a', '10.0.0.1');
    put('a', '10.0.0.2');
    put('b', '10.0.0.2');
    await clock.advance(1_000);
    assert.equal(seen.tookMs, undefined);
    store.collection('nodes').remove('b');
    await clock.advance(1_000);
    assert.equal(seen.tookMs, 1_000);
  });
});
