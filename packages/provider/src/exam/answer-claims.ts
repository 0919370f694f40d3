/** Claims about the three answers: what found, absent and unknown mean, and that none is left out. */
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

export const answerClaims: readonly Claim[] = [
  {
    name: 'reports all addresses of an instance in their order and in the cloud’s own text',
    async check(lab) {
      const order = dualStack('exam-a');
      const instance = await lab.create(order);
      const answer = await lookUpOne(lab, nodeOf('exam-a', instance.providerID));
      assertFound(answer, instance);
      const given = instance.addresses.filter(({ address }) =>
        order.addresses.some((ordered) => ordered.address === address),
      );
      assert.deepEqual(given, order.addresses, 'the lab did not order what it was asked to');
    },
  },
  {
    name: 'gives the same answer every time it is asked',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const first = await lookUpOne(lab, nodeOf('exam-a', providerID));
      for (const freshness of bothFreshnesses) {
        const again = await lookUpOne(lab, nodeOf('exam-a', providerID), freshness);
        assert.deepEqual(again, first);
      }
    },
  },
  {
    name: 'says absent of a providerID and of a name that no instance has',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const nodes = [nodeOf('exam-b', lab.unusedProviderID), nodeOf('exam-c')];
      for (const freshness of bothFreshnesses) {
        const answers = await lookUp(lab, nodes, freshness);
        assert.deepEqual(answers.get('exam-b'), { kind: 'absent' });
        assert.deepEqual(answers.get('exam-c'), { kind: 'absent' });
      }
    },
  },
  {
    name: 'takes no namesake for an instance whose providerID is gone',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      const node = nodeOf('exam-a', lab.unusedProviderID);
      assert.deepEqual(await lookUpOne(lab, node), { kind: 'absent' });
      assert.notEqual(instance.providerID, lab.unusedProviderID);
    },
  },
  {
    name: 'answers for every node of a batch, and for no other',
    async check(lab) {
      const instances = [
        await lab.create(dualStack('exam-a')),
        await lab.create(dualStack('exam-b', 2)),
      ];
      // More than a page of any cloud whose pages a test could fill.
      const strangers = Array.from({ length: 250 }, (_, index) => nodeOf(`exam-none-${index}`));
      const known = [nodeOf('exam-a', instances[0]?.providerID), nodeOf('exam-b')];
      const nodes = [...strangers.slice(0, 120), ...known, ...strangers.slice(120)];
      const answers = await lookUp(lab, nodes);
      const names = (list: Iterable<string>): string[] => [...list].toSorted();
      assert.deepEqual(names(answers.keys()), names(nodes.map(({ name }) => name)));
      for (const [index, node] of known.entries()) {
        const instance = instances[index];
        assert(instance !== undefined);
        assertFound(answers.get(node.name), instance);
      }
    },
  },
  {
    name: 'gives the same answers whatever the order of the nodes',
    async check(lab) {
      const names = ['exam-a', 'exam-b', 'exam-c'];
      for (const [index, name] of names.entries()) await lab.create(dualStack(name, index + 1));
      const nodes = [...names, 'exam-none'].map((name) => nodeOf(name));
      const forth = await lookUp(lab, nodes);
      const back = await lookUp(lab, nodes.toReversed());
      for (const { name } of nodes) assert.deepEqual(back.get(name), forth.get(name));
    },
  },
  {
    name: 'lets no strange node spoil the answers of the others',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      const scheme = instance.providerID.slice(0, instance.providerID.indexOf(':'));
      const strange = ['://', ':///%00/..', `:///${'x'.repeat(4_096)}`].map((rest, index) =>
        nodeOf(`exam-strange-${index}`, `${scheme}${rest}`),
      );
      const answers = await lookUp(lab, [...strange, nodeOf('exam-a', instance.providerID)]);
      assertFound(answers.get('exam-a'), instance);
      for (const { name } of strange) assert.notEqual(answers.get(name)?.kind, 'found');
    },
  },
  {
    name: 'leaves the list of nodes as it was given',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const nodes = ['exam-c', 'exam-a', 'exam-b'].map((name) => ({ ...nodeOf(name) }));
      const before = structuredClone(nodes);
      const { signal } = new AbortController();
      await lab.waitFor(lab.provider.lookup(nodes, { freshness: 'cached', signal }));
      assert.deepEqual(nodes, before);
    },
  },
  {
    name: 'answers an empty batch with an empty answer',
    async check(lab) {
      assert.equal((await lookUp(lab, [])).size, 0);
    },
  },
];
