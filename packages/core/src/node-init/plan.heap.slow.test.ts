/** Tests what V8 keeps of plans that are no longer used, before it collects the whole heap. */
import assert from 'node:assert/strict';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { aNode, anInput } from './node-init.fixture.ts';
import { type NodePlan, planNode } from './plan.ts';

setFlagsFromString('--expose-gc');
const collect: (options: { readonly type: 'minor' | 'major' }) => void = runInNewContext('gc');

const plans = 5_000;
/** A plan has several kilobytes. Compiled code and feedback of the functions that run take up to this. */
const bytesPerPlanMax = 100;

describe('the memory of plans', () => {
  it('is free after a minor collection', () => {
    // A first round compiles all code.
    makePlans();
    const before = oldBytes();
    makePlans();
    const perPlan = (oldBytes() - before) / plans;
    assert.ok(perPlan <= bytesPerPlanMax, `${Math.round(perPlan)} bytes for each`);
  });
});

/** Keeps the last plan only. */
function makePlans(): NodePlan | undefined {
  let last: NodePlan | undefined;
  for (let number = 0; number < plans; number += 1) {
    last = planNode(anInput({ node: aNode({ name: `node-${number}` }) }));
  }
  return last;
}

/** What is left in the old generation once the young one is empty. */
function oldBytes(): number {
  for (let round = 0; round < 2; round += 1) collect({ type: 'minor' });
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => name === 'old_space');
  return spaces.reduce((sum, space) => sum + space.space_used_size, 0);
}
