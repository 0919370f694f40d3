import assert from 'node:assert/strict';
import type { Instance } from '@tandem/provider/plug';
import { Timeline } from './timeline.ts';

const inZone = (zone: string): Instance => ({
  providerID: 'simulated:///a',
  addresses: [],
  zone,
  state: 'running',
  labels: {},
  podBlocks: { IPv4: [], IPv6: [] },
});

describe('the timeline of a simulated instance', () => {
  it('never shows a later change before an earlier one', () => {
    const timeline = new Timeline();
    timeline.change(inZone('first'), 100);
    timeline.change(inZone('second'), 900);
    timeline.change(inZone('third'), 200);
    const shown = [0, 100, 500, 900].map((atMs) => timeline.shownAt(atMs)?.zone);
    assert.deepEqual(shown, [undefined, 'first', 'first', 'third']);
  });

  it('is over once the instance is gone and shows as gone', () => {
    const timeline = new Timeline();
    timeline.change(inZone('a'), 0);
    timeline.change(undefined, 100);
    assert.deepEqual([timeline.isOver(99), timeline.isOver(100)], [false, true]);
  });
});
