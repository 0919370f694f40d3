import assert from 'node:assert/strict';
import { openAcmeLab } from '../../../../test/support/example-provider/index.ts';
import type { LookupAnswer, LookupAnswers, NodeRef, Provider } from '../plug/index.ts';
import { examine } from './examine.ts';

type Lookup = Provider['lookup'];

/** An honest provider with one bad habit, and the claim that must catch it. */
const habits: readonly {
  readonly habit: string;
  readonly caughtBy: RegExp;
  readonly spoil: (honest: Provider) => Partial<Provider>;
}[] = [
  {
    habit: 'says absent on an error',
    caughtBy: /never says absent while the cloud cannot be read/,
    spoil: spoiltLookup(async (lookup, nodes, options) =>
      lookup(nodes, options).catch(() => answerAll(nodes, { kind: 'absent' })),
    ),
  },
  {
    habit: 'gives errors without a code',
    caughtBy: /never says absent while the cloud cannot be read/,
    spoil: spoiltLookup(async (lookup, nodes, options) =>
      lookup(nodes, options).catch(() =>
        answerAll(nodes, { kind: 'unknown', err: new Error('?') }),
      ),
    ),
  },
  {
    habit: 'leaves out what it does not find',
    caughtBy: /answers for every node of a batch/,
    spoil: spoiltAnswers((answers) => [...answers].filter(([, { kind }]) => kind !== 'absent')),
  },
  {
    habit: 'answers only the first page',
    caughtBy: /answers for every node of a batch/,
    spoil: spoiltAnswers((answers) => [...answers].slice(0, 100)),
  },
  {
    habit: 'fills the second page with absences',
    caughtBy: /answers for every node of a batch/,
    spoil: spoiltAnswers((answers) =>
      [...answers].map(([name, answer], index) => [
        name,
        index < 100 ? answer : { kind: 'absent' },
      ]),
    ),
  },
  {
    habit: 'tells of nodes that nobody asked about',
    caughtBy: /and for no other/,
    spoil: spoiltAnswers((answers) => [...answers, ['stranger', { kind: 'absent' }]]),
  },
  {
    habit: 'reports addresses in another order each time',
    caughtBy: /in their order|same answer every time/,
    spoil: flippingOrder,
  },
  {
    habit: 'drops IPv6',
    caughtBy: /reports all addresses/,
    spoil: spoiltAnswers((answers) =>
      [...answers].map(([name, answer]) => [
        name,
        answer.kind === 'found'
          ? {
              kind: 'found',
              instance: {
                ...answer.instance,
                addresses: answer.instance.addresses.filter(
                  ({ address }) => !address.includes(':'),
                ),
              },
            }
          : answer,
      ]),
    ),
  },
  {
    habit: 'says absent of stopped instances',
    caughtBy: /finds a stopped instance/,
    spoil: spoiltAnswers((answers) =>
      [...answers].map(([name, answer]) => [
        name,
        answer.kind === 'found' && answer.instance.state === 'stopped'
          ? { kind: 'absent' }
          : answer,
      ]),
    ),
  },
  {
    habit: 'answers authoritative questions from memory',
    caughtBy: /says absent of a removed instance/,
    spoil: remembering,
  },
  {
    habit: 'owns everything',
    caughtBy: /owns the providerIDs that it gives, and no others/,
    spoil: () => ({ owns: () => true }),
  },
  {
    habit: 'looks nodes of other clouds up by their name',
    caughtBy: /another cloud’s/,
    spoil: spoiltLookup((lookup, nodes, options) =>
      lookup(
        nodes.map((node) => ({
          ...node,
          providerID: node.providerID.startsWith('acme') ? node.providerID : '',
        })),
        options,
      ),
    ),
  },
  {
    habit: 'falls back to the name when an id is gone',
    caughtBy: /takes no namesake/,
    spoil: spoiltLookup(async (lookup, nodes, options) => {
      const byName = await lookup(
        nodes.map((node) => ({ ...node, providerID: '' })),
        options,
      );
      const byId = await lookup(nodes, options);
      return new Map(
        [...byId].map(([name, answer]) => [
          name,
          answer.kind === 'absent' ? (byName.get(name) ?? answer) : answer,
        ]),
      );
    }),
  },
  {
    habit: 'does not stop when told to',
    caughtBy: /stops when it is told to/,
    spoil: spoiltLookup((lookup, nodes, { freshness }) =>
      lookup(nodes, { freshness, signal: new AbortController().signal }),
    ),
  },
  {
    habit: 'fails as a whole over one strange id',
    caughtBy: /lets no strange node spoil/,
    spoil: spoiltLookup((lookup, nodes, options) => {
      const isStrange = nodes.some(({ providerID }) => providerID.length > 1_000);
      return isStrange ? Promise.reject(new Error('400')) : lookup(nodes, options);
    }),
  },
  {
    habit: 'says that it is let in without asking',
    caughtBy: /never says that it is let in by a cloud that cannot be asked/,
    spoil: () => ({ checkAccess: async () => {} }),
  },
  {
    habit: 'swallows the refusal of its credentials',
    caughtBy: /says in words that credentials are refused/,
    spoil: (honest) => ({
      checkAccess: (options) =>
        honest.checkAccess?.(options).catch((err: unknown) => {
          if (Reflect.get(Object(err), 'retry') !== 'never') throw err;
        }) ?? Promise.resolve(),
    }),
  },
  {
    habit: 'does not stop checking its access when told to',
    caughtBy: /stops when it is told to, and takes that for no access/,
    spoil: (honest) => ({
      checkAccess: async () => honest.checkAccess?.({ signal: new AbortController().signal }),
    }),
  },
  {
    habit: 'turns the list that it was given around',
    caughtBy: /leaves the list of nodes as it was given/,
    spoil: spoiltLookup(async (lookup, nodes, options) => {
      (nodes as NodeRef[]).reverse();
      return lookup(nodes, options);
    }),
  },
];

describe('exam of providers', () => {
  for (const { habit, caughtBy, spoil } of habits) {
    it(`fails a provider that ${habit}`, async () => {
      const openLab = async (): ReturnType<typeof openAcmeLab> => {
        const lab = await openAcmeLab();
        return { ...lab, provider: { ...lab.provider, ...spoil(lab.provider) } };
      };
      const failed: string[] = [];
      for (const { name, run } of examine(openLab)) {
        await run().catch(() => failed.push(name));
      }
      assert(
        failed.some((name) => caughtBy.test(name)),
        `what failed was: ${failed.join('; ')}`,
      );
    });
  }

  it('passes a provider that does not check its access: it is not asked to', async () => {
    const openLab = async (): ReturnType<typeof openAcmeLab> => {
      const lab = { ...(await openAcmeLab()) };
      delete lab.revokeAccess;
      const provider = { ...lab.provider };
      delete provider.checkAccess;
      return { ...lab, provider };
    };
    for (const { run } of examine(openLab)) await run();
  });

  it('closes the lab of a claim that fails', async () => {
    let open = 0;
    const openLab = async (): ReturnType<typeof openAcmeLab> => {
      open++;
      const lab = await openAcmeLab();
      const close = async (): Promise<void> => void open--;
      return { ...lab, provider: { ...lab.provider, owns: () => false }, close };
    };
    for (const { run } of examine(openLab)) await run().catch(() => {});
    assert.equal(open, 0);
  });
});

function answerAll(nodes: readonly NodeRef[], answer: LookupAnswer): LookupAnswers {
  return new Map(nodes.map(({ name }) => [name, answer]));
}

function spoiltLookup(
  spoil: (lookup: Lookup, ...asked: Parameters<Lookup>) => ReturnType<Lookup>,
): (honest: Provider) => Partial<Provider> {
  return (honest) => ({
    lookup: async (nodes, options) => spoil((...asked) => honest.lookup(...asked), nodes, options),
  });
}

function spoiltAnswers(
  spoil: (answers: LookupAnswers) => [string, LookupAnswer][],
): (honest: Provider) => Partial<Provider> {
  return spoiltLookup(
    async (lookup, nodes, options) => new Map(spoil(await lookup(nodes, options))),
  );
}

function flippingOrder(honest: Provider): Partial<Provider> {
  let calls = 0;
  return spoiltAnswers((answers) => {
    const isFlipped = ++calls % 2 === 0;
    return [...answers].map(([name, answer]) => {
      if (answer.kind !== 'found' || !isFlipped) return [name, answer];
      const addresses = answer.instance.addresses.toReversed();
      return [name, { kind: 'found', instance: { ...answer.instance, addresses } }];
    });
  })(honest);
}

function remembering(honest: Provider): Partial<Provider> {
  const memory = new Map<string, LookupAnswer>();
  return spoiltLookup(async (lookup, nodes, options) => {
    const answers = await lookup(nodes, options);
    for (const [name, answer] of answers) if (!memory.has(name)) memory.set(name, answer);
    return new Map(nodes.map(({ name }) => [name, memory.get(name)!]));
  })(honest);
}
