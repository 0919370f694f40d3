/**
 * Claims about the three answers: what found, absent and unknown mean, and that no answer is
 * missing.
 */
import assert from 'node:assert/strict';
import { parseCidr } from '@tandem/core/ip';
import {
  assertAbsent,
  assertFound,
  bothAges,
  type Claim,
  dualStack,
  lookUp,
  lookUpOne,
  nodeOf,
  withoutTime,
} from './claim.ts';

export const answerClaims: readonly Claim[] = [
  {
    name: 'reports all addresses of an instance in order and as the cloud spells them',
    async check(lab) {
      const order = dualStack('exam-a');
      const instance = await lab.create(order);
      const answer = await lookUpOne(lab, nodeOf('exam-a', instance.providerID));
      assertFound(answer, instance);
      const given = instance.addresses.filter(({ address }) =>
        order.addresses.some((ordered) => ordered.address === address),
      );
      assert.deepEqual(
        given,
        order.addresses,
        'the lab did not create the instance with the addresses it was given',
      );
    },
  },
  {
    name: 'reports blocks of pod addresses by their family',
    async check(lab) {
      const podBlocks = { IPv4: ['10.244.7.0/24'], IPv6: ['fd00:10:244:7::/64'] };
      const instance = await lab.create({ ...dualStack('exam-a'), podBlocks });
      const answer = await lookUpOne(lab, nodeOf('exam-a', instance.providerID));
      assertFound(answer, instance);
      assert(answer.kind === 'found');
      for (const family of ['IPv4', 'IPv6'] as const) {
        for (const block of answer.instance.podBlocks[family]) {
          const parsed = parseCidr(block);
          assert(parsed.kind === 'cidr', `${block} is no CIDR`);
          assert.equal(parsed.cidr.network.family, family, `${block} is not ${family}`);
        }
      }
    },
  },
  {
    name: 'gives the same answer every time',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const first = await lookUpOne(lab, nodeOf('exam-a', providerID));
      for (const maxAgeMs of bothAges) {
        const again = await lookUpOne(lab, nodeOf('exam-a', providerID), maxAgeMs);
        assert.deepEqual(withoutTime(again), withoutTime(first));
      }
    },
  },
  {
    name: 'answers absent for a providerID and for a name that no instance has',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const nodes = [nodeOf('exam-b', lab.unusedProviderID), nodeOf('exam-c')];
      for (const maxAgeMs of bothAges) {
        const answers = await lookUp(lab, nodes, maxAgeMs);
        assertAbsent(answers.get('exam-b'));
        assertAbsent(answers.get('exam-c'));
      }
    },
  },
  {
    name: 'does not fall back to the name when no instance has the providerID',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      const node = nodeOf('exam-a', lab.unusedProviderID);
      assertAbsent(await lookUpOne(lab, node));
      assert.notEqual(instance.providerID, lab.unusedProviderID);
    },
  },
  {
    name: 'answers for every node of a batch, and for no other node',
    async check(lab) {
      const instances = [
        await lab.create(dualStack('exam-a')),
        await lab.create(dualStack('exam-b', 2)),
      ];
      // This is more than one page of a cloud with small pages.
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
    name: 'gives the same answers regardless of the order of the nodes',
    async check(lab) {
      const names = ['exam-a', 'exam-b', 'exam-c'];
      for (const [index, name] of names.entries()) await lab.create(dualStack(name, index + 1));
      const nodes = [...names, 'exam-none'].map((name) => nodeOf(name));
      const forth = await lookUp(lab, nodes);
      const back = await lookUp(lab, nodes.toReversed());
      for (const { name } of nodes) {
        assert.deepEqual(withoutTime(back.get(name)), withoutTime(forth.get(name)));
      }
    },
  },
  {
    name: 'answers for the other nodes of a batch when one providerID is malformed',
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
    name: 'does not change the list of nodes',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const nodes = ['exam-c', 'exam-a', 'exam-b'].map((name) => ({ ...nodeOf(name) }));
      const before = structuredClone(nodes);
      const { signal } = new AbortController();
      await lab.waitFor(lab.provider.lookup(nodes, { maxAgeMs: 0, signal }));
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
