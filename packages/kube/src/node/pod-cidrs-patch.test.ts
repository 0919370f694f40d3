import assert from 'node:assert/strict';
import { operationsOf, patched } from '../patch/json-patch.fixture.ts';
import { podCIDRsPatch } from './pod-cidrs-patch.ts';

const podCIDRs = ['10.244.1.0/24', 'fd00:10:244:1::/64'] as const;
const patch = podCIDRsPatch({ name: 'node-0', uid: 'uid-0', podCIDRs });
const { isWritten } = patch;
const operations = operationsOf(patch);

const live = (uid: string, spec: object): { metadata: object; spec: object } => ({
  metadata: { uid },
  spec,
});

describe('the patch of pod CIDRs', () => {
  it('writes both families at once, and the first as podCIDR', () => {
    const written = patched(live('uid-0', {}), operations);
    assert.deepEqual(written?.spec, { podCIDR: podCIDRs[0], podCIDRs });
    assert.ok(isWritten(written));
  });

  it('fails on a node that already has pod CIDRs, and on a namesake', () => {
    const other = { podCIDR: '10.244.9.0/24', podCIDRs: ['10.244.9.0/24'] };
    assert.equal(patched(live('uid-0', other), operations), undefined);
    assert.equal(patched(live('uid-1', {}), operations), undefined);
  });

  it('does not count another list, or the list of a namesake, as written', () => {
    for (const list of [[podCIDRs[0]], podCIDRs.toReversed(), undefined]) {
      assert.ok(!isWritten(live('uid-0', { podCIDRs: list })));
    }
    assert.ok(!isWritten(live('uid-1', { podCIDRs })));
  });
});
