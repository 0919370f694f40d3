/** Claims about which instance a node runs on, and whose nodes are whose. */
import assert from 'node:assert/strict';
import {
  assertFound,
  bothFreshnesses,
  type Claim,
  dualStack,
  lookUp,
  lookUpOne,
  nodeOf,
} from './claim.ts';

export const identityClaims: readonly Claim[] = [
  {
    name: 'finds an instance by the name of a node that has no providerID',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      for (const freshness of bothFreshnesses) {
        assertFound(await lookUpOne(lab, nodeOf('exam-a'), freshness), instance);
      }
    },
  },
  {
    name: 'finds an instance by its providerID, whatever the node is called',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const other = await lab.create(dualStack('exam-b', 2));
      const answer = await lookUpOne(lab, nodeOf('exam-a', other.providerID));
      assertFound(answer, other);
      assert.notEqual(providerID, other.providerID, 'two instances have one providerID');
    },
  },
  {
    name: 'owns the providerIDs that it gives, and no others',
    async check(lab) {
      const { provider } = lab;
      const { providerID } = await lab.create(dualStack('exam-a'));
      assert.equal(provider.owns(providerID), true, `it does not own ${providerID}`);
      assert.equal(provider.owns(lab.unusedProviderID), true, 'owning depends on existing');
      for (const foreign of foreignProviderIDs(providerID)) {
        assert.equal(provider.owns(foreign), false, `it owns ${JSON.stringify(foreign)}`);
      }
    },
  },
  {
    name: 'never says absent, nor found by name, of a node that is another cloud’s',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const foreign = nodeOf('exam-a', 'tandem-exam-foreign:///exam-a');
      const answers = await lookUp(lab, [foreign]).catch(() => undefined);
      const kind = answers?.get('exam-a')?.kind ?? 'unknown';
      assert.equal(kind, 'unknown');
    },
  },
];

function foreignProviderIDs(own: string): string[] {
  const scheme = own.slice(0, own.indexOf(':'));
  return ['tandem-exam-foreign:///exam-a', `x${own}`, `${scheme}x:///exam-a`, ` ${own}`, 'exam-a'];
}
