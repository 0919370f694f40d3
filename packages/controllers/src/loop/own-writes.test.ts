import assert from 'node:assert/strict';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { virtualClock } from '@tandem/runtime/testing';
import { NodeRecord } from './node-record.ts';
import { OwnWrites } from './own-writes.ts';

const reader = createNodeReader();
const at = (resourceVersion: string): NodeProjection =>
  reader.fromJson({ metadata: { name: 'a', uid: 'u', resourceVersion } });

const aRecord = (): NodeRecord<undefined> => new NodeRecord({ name: 'a', uid: 'u' }, undefined);

describe('the record of own writes', () => {
  it('allows decisions on the cache only when it shows the last write', async () => {
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

  it('requires a live read when the watch is late or the outcome is in doubt', async () => {
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
    { name: 'a write after a foreign one', from: '11', to: '12', isEcho: false, isShown: true },
    { name: 'a foreign change', from: '9', to: '11', isEcho: false, isShown: false },
    { name: 'a later foreign change', from: '12', to: '13', isEcho: false, isShown: true },
  ];
  for (const { name, from, to, isEcho, isShown } of steps) {
    it(`tells own writes from foreign ones: ${name}`, () => {
      const writes = new OwnWrites(virtualClock());
      const record = aRecord();
      writes.noteStored(record, ['9', '10', '12']);
      const seen = writes.see(record, { before: at(from), after: at(to) });
      assert.deepEqual(seen, { isEcho, isAwaited: false });
      assert.equal(record.ownWrite === undefined, isShown);
    });
  }

  it('measures how long the cache lags behind a write, but not behind a read', async () => {
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

  it('reports the last write to a reconcile that waits for it', () => {
    const writes = new OwnWrites(virtualClock());
    const record = aRecord();
    writes.noteStored(record, ['9', '10', '12']);
    writes.viewOf(record, at('9'));
    const isAwaited = (from: string, to: string): boolean =>
      writes.see(record, { before: at(from), after: at(to) }).isAwaited;
    assert.deepEqual([isAwaited('9', '10'), isAwaited('10', '12')], [false, true]);
  });
});
