import assert from 'node:assert/strict';
import { openAcmeLab } from '../../../../test/support/example-provider/index.ts';
import type { Instance, LookupAnswer, LookupAnswers, NodeRef, Provider } from '../plug/index.ts';
import { examine } from './examine.ts';

type Lookup = Provider['lookup'];

/** Faults that are added to a correct provider, each with the claim that must fail. */
const habits: readonly {
  readonly habit: string;
  readonly caughtBy: RegExp;
  readonly spoil: (honest: Provider) => Partial<Provider>;
}[] = [
  {
    habit: 'answers absent on an error',
    caughtBy: /never answers absent while it cannot read the cloud/,
    spoil: spoiltLookup(async (lookup, nodes, options) =>
      lookup(nodes, options).catch(() => answerAll(nodes, { kind: 'absent', asOfMs: 0 })),
    ),
  },
  {
    habit: 'gives errors without a code',
    caughtBy: /never answers absent while it cannot read the cloud/,
    spoil: spoiltLookup(async (lookup, nodes, options) =>
      lookup(nodes, options).catch(() =>
        answerAll(nodes, { kind: 'unknown', err: new Error('?') }),
      ),
    ),
  },
  {
    habit: 'leaves out nodes that it does not find',
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
        index < 100 ? answer : { kind: 'absent', asOfMs: 0 },
      ]),
    ),
  },
  {
    habit: 'answers for a node that was not asked about',
    caughtBy: /and for no other node/,
    spoil: spoiltAnswers((answers) => [...answers, ['stranger', { kind: 'absent', asOfMs: 0 }]]),
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
              ...answer,
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
    habit: 'answers absent for stopped instances',
    caughtBy: /finds a stopped instance/,
    spoil: spoiltAnswers((answers) =>
      [...answers].map(([name, answer]) => [
        name,
        answer.kind === 'found' && answer.instance.state === 'stopped'
          ? { kind: 'absent', asOfMs: 0 }
          : answer,
      ]),
    ),
  },
  {
    habit: 'answers from a cache when its source must be asked',
    caughtBy: /answers absent for a removed instance/,
    spoil: remembering,
  },
  {
    habit: 'reports cached data as new',
    caughtBy: /never understates the age/,
    spoil: flattering,
  },
  {
    habit: 'does not state the age of its answers',
    caughtBy: /states the age of every answer/,
    spoil: spoiltAnswers((answers) =>
      [...answers].map(([name, answer]) => [name, { ...answer, asOfMs: Number.NaN }]),
    ),
  },
  {
    habit: 'has a key for every providerID',
    caughtBy: /has a key for its own providerIDs, and for no others/,
    spoil: () => ({ identify: (providerID) => providerID }),
  },
  {
    habit: 'has no key for its own providerIDs without an instance',
    caughtBy: /has a key for its own providerIDs, and for no others/,
    spoil: (honest) => ({
      identify: (providerID) =>
        providerID.includes('none') ? undefined : honest.identify(providerID),
    }),
  },
  {
    habit: 'gives all of its instances one key',
    caughtBy: /gives each instance its own key/,
    spoil: (honest) => ({
      identify: (providerID) => (honest.identify(providerID) === undefined ? undefined : 'acme'),
    }),
  },
  {
    habit: 'gives other spellings of a providerID other keys',
    caughtBy: /gives all spellings one key/,
    spoil: (honest) => ({
      identify: (providerID) =>
        honest.identify(providerID) === undefined ? undefined : providerID,
    }),
  },
  {
    habit: 'does not know other spellings of a providerID',
    caughtBy: /finds an instance by every spelling/,
    spoil: spoiltLookup((lookup, nodes, options) =>
      lookup(
        nodes.map((node) => ({ ...node, providerID: node.providerID.replace('M-', 'none-') })),
        options,
      ),
    ),
  },
  {
    habit: 'looks up nodes of other clouds by name',
    caughtBy: /absent or found for a node of another cloud/,
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
    habit: 'falls back to the name when the instance of a providerID is gone',
    caughtBy: /does not fall back to the name/,
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
    habit: 'ignores the signal of a look-up',
    caughtBy: /stops when its signal aborts, without answering/,
    spoil: spoiltLookup((lookup, nodes, { maxAgeMs }) =>
      lookup(nodes, { maxAgeMs, signal: new AbortController().signal }),
    ),
  },
  {
    habit: 'fails the whole call because of one malformed providerID',
    caughtBy: /when one providerID is malformed/,
    spoil: spoiltLookup((lookup, nodes, options) => {
      const isStrange = nodes.some(({ providerID }) => providerID.length > 1_000);
      return isStrange ? Promise.reject(new Error('400')) : lookup(nodes, options);
    }),
  },
  {
    habit: 'reports instances under providerIDs that it has no key for',
    caughtBy: /under a providerID that has the key of the node/,
    spoil: spoiltInstances((instance) => ({
      ...instance,
      providerID: instance.providerID.replace('acme://', 'acme-v2://'),
    })),
  },
  {
    habit: 'treats unmanaged nodes as its own',
    caughtBy: /answers notOurs for a node with the labels of unmanaged nodes/,
    spoil: spoiltLookup((lookup, nodes, options) =>
      lookup(
        nodes.map((node) => ({ ...node, labels: {} })),
        options,
      ),
    ),
  },
  {
    habit: 'answers notOurs for instances that it does not find',
    caughtBy: /answers absent for a providerID and for a name that no instance has/,
    spoil: spoiltAnswers((answers) =>
      [...answers].map(([name, answer]) => [
        name,
        answer.kind === 'absent' ? { kind: 'notOurs' } : answer,
      ]),
    ),
  },
  {
    habit: 'answers notOurs for every node with a label',
    caughtBy: /answers notOurs for a node with the labels of unmanaged nodes, and for no other/,
    spoil: spoiltLookup(async (lookup, nodes, options) => {
      const answers = new Map(await lookup(nodes, options));
      for (const { name, labels } of nodes) {
        if (Object.keys(labels).length > 0) answers.set(name, { kind: 'notOurs' });
      }
      return answers;
    }),
  },
  {
    habit: 'lists IPv6 blocks under IPv4',
    caughtBy: /reports blocks of pod addresses by their family/,
    spoil: spoiltInstances((instance) => ({
      ...instance,
      podBlocks: { IPv4: Object.values(instance.podBlocks).flat(), IPv6: [] },
    })),
  },
  {
    habit: 'has watch but never reports a change',
    caughtBy: /with watch: reports an instance that appears, changes, stops or disappears/,
    spoil: () => ({ watch() {} }),
  },
  {
    habit: 'reports changes by providerID instead of key',
    caughtBy: /with watch: reports an instance that appears, changes, stops or disappears/,
    spoil: (honest) => ({
      watch: (onChange, options) =>
        honest.watch?.((keys) => onChange(keys.map((key) => `acme://${key}`)), options),
    }),
  },
  {
    habit: 'reports a change on every look-up',
    caughtBy: /with watch: reports nothing while nothing changes/,
    spoil(honest) {
      const told: (() => void)[] = [];
      return {
        watch: (onChange) => void told.push(() => onChange([])),
        async lookup(nodes, options) {
          for (const tell of told) tell();
          return honest.lookup(nodes, options);
        },
      };
    },
  },
  {
    habit: 'keeps reporting changes after the signal of the watch aborted',
    caughtBy: /with watch: reports nothing once its signal has aborted/,
    spoil: (honest) => ({
      watch: (onChange) => honest.watch?.(onChange, { signal: new AbortController().signal }),
    }),
  },
  {
    habit: 'reports changes that its cached answers do not show',
    caughtBy: /with watch: shows a reported change in all later data/,
    spoil: flattering,
  },
  {
    habit: 'confirms its access without asking the cloud',
    caughtBy: /never confirms its access while the cloud is unreachable/,
    spoil: () => ({ checkAccess: async () => {} }),
  },
  {
    habit: 'confirms its access although the cloud refuses the credentials',
    caughtBy: /explains that the cloud refuses the credentials/,
    spoil: (honest) => ({
      checkAccess: (options) =>
        honest.checkAccess?.(options).catch((err: unknown) => {
          if (Reflect.get(Object(err), 'retry') !== 'never') throw err;
        }) ?? Promise.resolve(),
    }),
  },
  {
    habit: 'ignores the signal of an access check',
    caughtBy: /stops when its signal aborts, without confirming/,
    spoil: (honest) => ({
      checkAccess: async () => honest.checkAccess?.({ signal: new AbortController().signal }),
    }),
  },
  {
    habit: 'reverses the list of nodes that it was given',
    caughtBy: /does not change the list of nodes/,
    spoil: spoiltLookup(async (lookup, nodes, options) => {
      (nodes as NodeRef[]).reverse();
      return lookup(nodes, options);
    }),
  },
];

describe('the exam of providers', () => {
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

  it('passes a provider without checkAccess, because it is optional', async () => {
    const openLab = async (): ReturnType<typeof openAcmeLab> => {
      const lab = { ...(await openAcmeLab()) };
      delete lab.revokeAccess;
      const provider = { ...lab.provider };
      delete provider.checkAccess;
      return { ...lab, provider };
    };
    for (const { run } of examine(openLab)) await run();
  });

  it('passes a provider without watch, unmanaged nodes and pod blocks', async () => {
    const openLab = async (): ReturnType<typeof openAcmeLab> => {
      const honest = await openAcmeLab();
      const lab = { ...honest };
      delete lab.unmanagedLabels;
      delete lab.awaitNotices;
      const provider = { ...lab.provider };
      delete provider.watch;
      return {
        ...lab,
        provider,
        create: ({ name, addresses }) => honest.create({ name, addresses }),
      };
    };
    for (const { run } of examine(openLab)) await run();
  });

  it('closes the lab when a claim fails', async () => {
    let open = 0;
    const openLab = async (): ReturnType<typeof openAcmeLab> => {
      open++;
      const lab = await openAcmeLab();
      const close = async (): Promise<void> => void open--;
      return { ...lab, provider: { ...lab.provider, identify: () => undefined }, close };
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

function spoiltInstances(
  spoil: (instance: Instance) => Instance,
): (honest: Provider) => Partial<Provider> {
  return spoiltAnswers((answers) =>
    [...answers].map(([name, answer]) => [
      name,
      answer.kind === 'found' ? { ...answer, instance: spoil(answer.instance) } : answer,
    ]),
  );
}

function flippingOrder(honest: Provider): Partial<Provider> {
  let calls = 0;
  return spoiltAnswers((answers) => {
    const isFlipped = ++calls % 2 === 0;
    return [...answers].map(([name, answer]) => {
      if (answer.kind !== 'found' || !isFlipped) return [name, answer];
      const addresses = answer.instance.addresses.toReversed();
      return [name, { ...answer, instance: { ...answer.instance, addresses } }];
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

/** Returns cached answers with the time of the newest answer. */
function flattering(honest: Provider): Partial<Provider> {
  const memory = new Map<string, LookupAnswer>();
  return spoiltLookup(async (lookup, nodes, options) => {
    const answers = await lookup(nodes, options);
    return new Map(
      [...answers].map(([name, answer]) => {
        const known = memory.get(name) ?? answer;
        memory.set(name, known);
        const isYoung = options.maxAgeMs === 0 || !('asOfMs' in answer);
        return [name, isYoung ? answer : { ...known, asOfMs: answer.asOfMs }];
      }),
    );
  })(honest);
}
