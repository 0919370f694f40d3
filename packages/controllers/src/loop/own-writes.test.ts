import assert from 'node:assert/strict';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { virtualClock } from '@tandem/runtime/testing';
import { NodeRecord } from './node-record.ts';
import { OwnWrites } from './own-writes.ts';

const reader = createNodeReader();
const at = (resourceVersion: string): NodeProjection =>
  reader.fromJson({ metadata: { name: 'a', uid: 'u', resourceVersion } });

const aRecord = (): NodeRecord<undefined> => new NodeRecord({ name: 'a', uid: 'u' }, undefined);

describe('the memory of own writes', () => {
  it('decides by the cache only when it shows the last write', async () => {
    const clock = virtualClock();
    const writes = new OwnWrites(clock);
    const record = aRecord();
    writes.noteStored(record, ['9', '10', '12']);
    assert.deepEqual(writes.viewOf(record, at('11')), { kind: 'wait', afterMs: 5_000 });
    await clock.advance(2_000);
    assert.deepEqual(writes.viewOf(record, at('11')), { kind: 'wait', afterMs: 3_000 });
    assert.deepEqual(writes.viewOf(record, at('12')), { kind: 'cache' });
    assert.equal(record.ownWrite, undefined);
  });

  it('has the node read when the watch is late, and when the outcome is in doubt', async () => {
    const clock = virtualClock();
    const writes = new OwnWrites(clock);
    const record = aRecord();
    writes.noteStored(record, ['9', '10']);
    await clock.advance(5_000);
    assert.deepEqual(writes.viewOf(record, at('9')), { kind: 'live' });
    writes.noteRead(record, at('11'));
    assert.deepEqual(writes.viewOf(record, at('10')), { kind: 'wait', afterMs: 5_000 });
    writes.noteInDoubt(record);
    assert.deepEqual(writes.viewOf(record, at('99')), { kind: 'live' });
  });

  const steps: { name: string; from: string; to: string; isEcho: boolean; isShown: boolean }[] = [
    { name: 'the first write', from: '9', to: '10', isEcho: true, isShown: false },
    { name: 'the last write', from: '10', to: '12', isEcho: true, isShown: true },
    { name: 'a list that holds both', from: '9', to: '12', isEcho: false, isShown: true },
    { name: 'a write on a stranger’s', from: '11', to: '12', isEcho: false, isShown: true },
    { name: 'a stranger’s change', from: '9', to: '11', isEcho: false, isShown: false },
    { name: 'a stranger’s later change', from: '12', to: '13', isEcho: false, isShown: true },
  ];
  for (const { name, from, to, isEcho, isShown } of steps) {
    it(`knows ${name} for what it is`, () => {
      const writes = new OwnWrites(virtualClock());
      const record = aRecord();
      writes.noteStored(record, ['9', '10', '12']);
      const seen = writes.see(record, { before: at(from), after: at(to) });
      assert.deepEqual(seen, { isEcho, isAwaited: false });
      assert.equal(record.ownWrite === undefined, isShown);
    });
  }

  it('measures how long the cache lags behind a write, and not behind a read', async () => {
    const clock = virtualClock();
    const lagsMs: number[] = [];
    const writes = new OwnWrites(clock, (afterMs) => lagsMs.push(afterMs));
    const record = aRecord();
    writes.noteStored(record, ['9', '10', '12']);
    await clock.advance(300);
    writes.see(record, { before: at('9'), after: at('10') });
    assert.deepEqual(lagsMs, [], 'the last write is not shown yet');
    await clock.advance(200);
    writes.see(record, { before: at('10'), after: at('12') });
    writes.noteRead(record, at('14'));
    await clock.advance(700);
    writes.see(record, { before: at('12'), after: at('14') });
    assert.deepEqual(lagsMs, [500]);
  });

  it('tells that the last write is seen to whom was told to wait for it', () => {
    const writes = new OwnWrites(virtualClock());
    const record = aRecord();
    writes.noteStored(record, ['9', '10', '12']);
    writes.viewOf(record, at('9'));
    const isAwaited = (from: string, to: string): boolean =>
      writes.see(record, { before: at(from), after: at(to) }).isAwaited;
    assert.deepEqual([isAwaited('9', '10'), isAwaited('10', '12')], [false, true]);
  });
});
