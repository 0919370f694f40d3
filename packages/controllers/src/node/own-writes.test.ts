import assert from 'node:assert/strict';
import { createNodeReader, type NodeProjection } from '@tandem/kube/codec';
import { virtualClock } from '@tandem/runtime';
import { OwnWrites } from './own-writes.ts';

const reader = createNodeReader();
const at = (resourceVersion: string): NodeProjection =>
  reader.fromJson({ metadata: { name: 'a', uid: 'u', resourceVersion } });

describe('the memory of own writes', () => {
  it('decides by the cache only when it shows the last write', async () => {
    const clock = virtualClock();
    const writes = new OwnWrites(clock);
    writes.wrote('u', ['9', '10', '12']);
    assert.deepEqual(writes.standingOf(at('11')), { kind: 'wait', afterMs: 5_000 });
    await clock.advance(2_000);
    assert.deepEqual(writes.standingOf(at('11')), { kind: 'wait', afterMs: 3_000 });
    assert.deepEqual(writes.standingOf(at('12')), { kind: 'cache' });
    assert.equal(writes.size, 0);
  });

  it('has the node read when the watch is late, and when the outcome is in doubt', async () => {
    const clock = virtualClock();
    const writes = new OwnWrites(clock);
    writes.wrote('u', ['9', '10']);
    await clock.advance(5_000);
    assert.deepEqual(writes.standingOf(at('9')), { kind: 'live' });
    writes.read(at('11'));
    assert.deepEqual(writes.standingOf(at('10')), { kind: 'wait', afterMs: 5_000 });
    writes.inDoubt('u');
    assert.deepEqual(writes.standingOf(at('99')), { kind: 'live' });
  });

  const steps: { name: string; from: string; to: string; isEcho: boolean; isCaughtUp: boolean }[] =
    [
      { name: 'the first write', from: '9', to: '10', isEcho: true, isCaughtUp: false },
      { name: 'the last write', from: '10', to: '12', isEcho: true, isCaughtUp: true },
      { name: 'a list that holds both', from: '9', to: '12', isEcho: false, isCaughtUp: true },
      { name: 'a write on a stranger’s', from: '11', to: '12', isEcho: false, isCaughtUp: true },
      { name: 'a stranger’s change', from: '9', to: '11', isEcho: false, isCaughtUp: false },
      { name: 'a stranger’s later change', from: '12', to: '13', isEcho: false, isCaughtUp: true },
    ];
  for (const { name, from, to, ...want } of steps) {
    it(`knows ${name} for what it is`, () => {
      const writes = new OwnWrites(virtualClock());
      writes.wrote('u', ['9', '10', '12']);
      const seen = writes.see({ before: at(from), after: at(to) });
      assert.deepEqual(seen, { ...want, isAwaited: false });
    });
  }

  it('holds what is told while a node is written to', () => {
    const writes = new OwnWrites(virtualClock());
    const update = { before: at('9'), after: at('10') };
    assert.equal(writes.hold(update), false);
    writes.begin('u');
    assert.equal(writes.hold(update), true);
    assert.deepEqual(writes.end('u'), [update]);
    assert.equal(writes.hold(update), false);
  });
});
