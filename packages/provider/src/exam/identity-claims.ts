/** Claims about which instance a node runs on, and which nodes belong to the cloud. */
import assert from 'node:assert/strict';
import {
  assertFound,
  type Claim,
  dualStack,
  lookUp,
  lookUpAsOfNow,
  lookUpOne,
  nodeOf,
} from './claim.ts';
import type { Lab } from './lab.ts';

export const identityClaims: readonly Claim[] = [
  {
    name: 'finds an instance by the name of a node that has no providerID',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      for (const answer of await lookUpAsOfNow(lab, nodeOf('exam-a'))) {
        assertFound(answer, instance);
      }
    },
  },
  {
    name: 'finds an instance by its providerID, even when the node has another name',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const other = await lab.create(dualStack('exam-b', 2));
      const answer = await lookUpOne(lab, nodeOf('exam-a', other.providerID));
      assertFound(answer, other);
      assert.notEqual(providerID, other.providerID, 'two instances have the same providerID');
    },
  },
  {
    name: 'has a key for its own providerIDs, and for no others',
    async check(lab) {
      const { provider } = lab;
      const { providerID } = await lab.create(dualStack('exam-a'));
      const key = keyOf(lab, providerID);
      keyOf(lab, lab.unusedProviderID);
      await lab.remove('exam-a');
      assert.equal(keyOf(lab, providerID), key, 'the key changed when the instance was removed');
      for (const foreign of foreignProviderIDs(providerID)) {
        const given = provider.identify(foreign);
        assert.equal(
          given,
          undefined,
          `identify returned a key for the foreign providerID ${JSON.stringify(foreign)}`,
        );
      }
    },
  },
  {
    name: 'gives each instance its own key',
    async check(lab) {
      const instances = [
        await lab.create(dualStack('exam-a')),
        await lab.create(dualStack('exam-b', 2)),
      ];
      const ids = [...instances.map(({ providerID }) => providerID), lab.unusedProviderID];
      const keys = new Set(ids.map((providerID) => keyOf(lab, providerID)));
      assert.equal(keys.size, ids.length, `${ids.join(', ')} share a key`);
    },
  },
  {
    name: 'finds an instance by every spelling of its providerID, and gives all spellings one key',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      const { providerID } = instance;
      for (const spelling of lab.otherSpellings?.(providerID) ?? []) {
        assert.notEqual(
          spelling,
          providerID,
          'otherSpellings of the lab returned the original spelling',
        );
        assert.equal(
          keyOf(lab, spelling),
          keyOf(lab, providerID),
          `${spelling} has a different key`,
        );
        assertFound(await lookUpOne(lab, nodeOf('exam-b', spelling)), instance);
      }
    },
  },
  {
    name: 'reports an instance under a providerID that has the key of the node',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const key = keyOf(lab, providerID);
      const spellings = lab.otherSpellings?.(providerID) ?? [];
      for (const named of ['', providerID, ...spellings]) {
        const answer = await lookUpOne(lab, nodeOf('exam-a', named));
        assert(answer.kind === 'found', `the answer is ${answer.kind}`);
        assert.equal(keyOf(lab, answer.instance.providerID), key);
      }
    },
  },
  {
    name: 'answers notOurs for a node with the labels of unmanaged nodes, and for no other',
    async check(lab) {
      const { unmanagedLabels } = lab;
      const instance = await lab.create(dualStack('exam-a'));
      const { providerID } = await lab.create(dualStack('exam-b', 2));
      const others = unmanagedLabels === undefined ? [] : ['exam-b', 'exam-none'];
      const nodes = [
        nodeOf('exam-a', instance.providerID, { unmanaged: 'exam' }),
        nodeOf('exam-b', providerID, unmanagedLabels),
        nodeOf('exam-none', '', unmanagedLabels),
      ];
      const answers = await lookUp(lab, nodes);
      assertFound(answers.get('exam-a'), instance);
      for (const { name } of nodes) {
        assert.equal(answers.get(name)?.kind === 'notOurs', others.includes(name), name);
      }
    },
  },
  {
    name: 'never answers absent or found for a node of another cloud',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const foreign = nodeOf('exam-a', 'tandem-exam-foreign:///exam-a');
      const answers = await lookUp(lab, [foreign]).catch(() => undefined);
      const kind = answers?.get('exam-a')?.kind ?? 'unknown';
      assert(kind === 'unknown' || kind === 'notOurs', `the answer is ${kind}`);
    },
  },
];

function keyOf({ provider }: Lab, providerID: string): string {
  const key: unknown = provider.identify(providerID);
  assert(typeof key === 'string' && key !== '', `identify returned no key for ${providerID}`);
  return key;
}

function foreignProviderIDs(own: string): string[] {
  const scheme = own.slice(0, own.indexOf(':'));
  return ['tandem-exam-foreign:///exam-a', `x${own}`, `${scheme}x:///exam-a`, ` ${own}`, 'exam-a'];
}
