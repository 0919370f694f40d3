import assert from 'node:assert/strict';
import type { ListedRoute } from './listing.ts';
import type { RoutePlanInput } from './plan.ts';
import {
  aNode,
  aRoute,
  aSingleNode,
  aTable,
  cidr,
  dead,
  elsewhere,
  operationTexts,
  planFor,
  routesOf,
  toAddress,
  toInstance,
} from './routes.fixture.ts';

interface Case {
  readonly name: string;
  readonly given: Partial<RoutePlanInput>;
  readonly want: readonly string[];
}

/** An input of one node with one podCIDR, and a table with these routes. */
const single = (...routes: ListedRoute[]): Partial<RoutePlanInput> => ({
  nodes: [aSingleNode(1)],
  tables: [aTable(routes)],
});
const foreign = { ours: false };

function check(cases: readonly Case[]): void {
  for (const { name, given, want } of cases) {
    it(name, () => assert.deepEqual(operationTexts(planFor(given)), want));
  }
}

describe('routes that a node needs', () => {
  check([
    {
      name: 'are created in both families and in every table',
      given: { tables: [aTable([], { id: 'b' }), aTable([], { id: 'a' })] },
      want: [
        'create a 10.244.1.0/24 node-1',
        'create b 10.244.1.0/24 node-1',
        'create a fd00:244:0:1::/64 node-1',
        'create b fd00:244:0:1::/64 node-1',
      ],
    },
    {
      name: 'are left alone if they are right',
      given: { tables: [aTable(routesOf(1))] },
      want: [],
    },
    {
      name: 'are created if the cloud lists no route',
      given: single(),
      want: ['create main 10.244.1.0/24 node-1'],
    },
    {
      name: 'are replaced if they lead to another instance',
      given: single(aRoute('10.244.1.0/24', toInstance(2))),
      want: ['replace main 10.244.1.0/24 node-1'],
    },
    {
      name: 'are replaced if they do not lead to a node',
      given: single(aRoute('10.244.1.0/24', elsewhere)),
      want: ['replace main 10.244.1.0/24 node-1'],
    },
    {
      name: 'are replaced if they are dead, even foreign ones',
      given: single(aRoute('10.244.1.0/24', dead, foreign)),
      want: ['replace main 10.244.1.0/24 node-1'],
    },
    {
      name: 'are replaced if the instance does not forward yet',
      given: single(aRoute('10.244.1.0/24', toInstance(1, false))),
      want: ['replace main 10.244.1.0/24 node-1'],
    },
    {
      name: 'are left alone if their next hop is the InternalIP of the family, in any spelling',
      given: {
        tables: [
          aTable([
            aRoute('10.244.1.0/24', toAddress('10.0.0.1')),
            aRoute('fd00:244:0:1::/64', toAddress('FD00:0:0::0001')),
          ]),
        ],
      },
      want: [],
    },
    {
      name: 'are replaced if their next hop is another address',
      given: single(aRoute('10.244.1.0/24', toAddress('10.0.0.2'))),
      want: ['replace main 10.244.1.0/24 node-1'],
    },
    {
      name: 'are not wanted if the cloud routes the podCIDR by itself',
      given: {
        nodes: [
          aNode(1, {
            instance: { key: 'i-1', podBlocks: { IPv4: ['10.244.0.0/22'], IPv6: [] } },
          }),
        ],
      },
      want: ['create main fd00:244:0:1::/64 node-1'],
    },
    {
      name: 'are not wanted in a family that the cloud cannot route',
      given: { families: ['IPv4'] },
      want: ['create main 10.244.1.0/24 node-1'],
    },
    {
      name: 'are not created without a table',
      given: { tables: [] },
      want: [],
    },
  ]);
});

describe('a route that no node needs', () => {
  check([
    {
      name: 'is deleted',
      given: single(...routesOf(2), aRoute('10.244.1.0/24', toInstance(1))),
      want: ['delete main 10.244.2.0/24', 'delete main fd00:244:0:2::/64'],
    },
    {
      name: 'is deleted when no node is left',
      given: { nodes: [], tables: [aTable(routesOf(2))] },
      want: ['delete main 10.244.2.0/24', 'delete main fd00:244:0:2::/64'],
    },
    {
      name: 'is deleted when it is dead, even a foreign one',
      given: { nodes: [], tables: [aTable([aRoute('10.244.9.0/24', dead, foreign)])] },
      want: ['delete main 10.244.9.0/24'],
    },
    {
      name: 'is left alone if it is foreign and alive',
      given: { nodes: [], tables: [aTable([aRoute('10.244.9.0/24', toInstance(1), foreign)])] },
      want: [],
    },
    {
      name: 'is left alone outside the cluster CIDRs, even if it is ours or dead',
      given: {
        nodes: [],
        tables: [
          aTable([
            aRoute('10.245.0.0/24', toInstance(9)),
            aRoute('192.0.2.0/24', dead),
            aRoute('10.244.0.0/15', toInstance(9)),
          ]),
        ],
      },
      want: [],
    },
    {
      name: 'is left alone in a family that the cloud cannot route',
      given: { nodes: [], families: ['IPv4'], tables: [aTable(routesOf(9))] },
      want: ['delete main 10.244.9.0/24'],
    },
    {
      name: 'is left alone if its destination is not a CIDR',
      given: {
        nodes: [],
        tables: [aTable([aRoute('10.244.9.0/24', dead, { destination: undefined })])],
      },
      want: [],
    },
    {
      name: 'is deleted if the cloud routes the podCIDR by itself',
      given: {
        nodes: [
          aSingleNode(1, {
            instance: { key: 'i-1', podBlocks: { IPv4: ['10.244.1.0/24'], IPv6: [] } },
          }),
        ],
        tables: [aTable(routesOf(1).slice(0, 1))],
      },
      want: ['delete main 10.244.1.0/24'],
    },
    {
      name: 'stays until the list shows the own route of the node that it serves',
      given: single(aRoute('10.244.0.0/23', toInstance(1))),
      want: ['create main 10.244.1.0/24 node-1'],
    },
    {
      name: 'stays as long even if its instance does not forward yet',
      given: single(aRoute('10.244.0.0/23', toInstance(1, false))),
      want: ['create main 10.244.1.0/24 node-1'],
    },
    {
      name: 'is deleted once the list shows the own route of the node that it served',
      given: single(aRoute('10.244.0.0/23', toInstance(1)), aRoute('10.244.1.0/24', toInstance(1))),
      want: ['delete main 10.244.0.0/23'],
    },
    {
      name: 'is deleted at once if it diverts the traffic of a node',
      given: single(aRoute('10.244.1.128/25', toInstance(2))),
      want: ['delete main 10.244.1.128/25', 'create main 10.244.1.0/24 node-1'],
    },
  ]);
});

describe('the routes of a node', () => {
  const stale = [aRoute('10.244.1.0/24', toInstance(2)), aRoute('10.244.1.0/25', dead)];
  for (const [what, bar] of Object.entries({
    'that is paused': { isPaused: true },
    'that routes.selector leaves out': { isSelected: false },
    'of another cloud': { isOurs: false },
    'that is being deleted': { isDeleting: true },
  })) {
    it(`${what} are neither created, replaced nor deleted`, () => {
      const nodes = [aNode(1, bar)];
      for (const routes of [[], routesOf(1), stale]) {
        const plan = planFor({ nodes, tables: [aTable(routes)] });
        assert.deepEqual(plan.operations, []);
        assert.equal(plan.nodes.get('uid-1')?.verdict.kind, 'leftAlone');
      }
    });
  }

  for (const [what, lack] of Object.entries({
    'whose instance is unknown': { instance: undefined },
    'without an InternalIP of the family': { internalIPs: {} },
  })) {
    it(`${what} stay as they are`, () => {
      const nodes = [aNode(1, lack)];
      for (const routes of [[], routesOf(1), stale]) {
        assert.deepEqual(planFor({ nodes, tables: [aTable(routes)] }).operations, []);
      }
    });
  }

  it('that registers again on another machine lead to that machine', () => {
    const instance = { key: 'i-7', podBlocks: { IPv4: [], IPv6: [] } };
    const nodes = [aSingleNode(1, { uid: 'uid-new', instance })];
    const tables = [aTable([aRoute('10.244.1.0/24', toInstance(1))])];
    const [planned] = planFor({ nodes, tables }).operations;
    assert(planned?.operation.kind === 'replace');
    assert.equal(planned.operation.to.key, 'i-7');
    assert.deepEqual(planned.node, { name: 'node-1', uid: 'uid-new' });
  });

  it('are passed to the cloud with the key of the instance and both next hops', () => {
    const [first] = planFor({}).operations;
    assert.deepEqual(first, {
      operation: {
        kind: 'create',
        table: 'main',
        destination: '10.244.1.0/24',
        to: { key: 'i-1', name: 'node-1', addresses: { IPv4: '10.0.0.1', IPv6: 'fd00::1' } },
      },
      destination: '10.244.1.0/24',
      node: { name: 'node-1', uid: 'uid-1' },
      reason: 'node node-1 has podCIDR 10.244.1.0/24, and the table has no route to it',
    });
  });
});

describe('a plan', () => {
  it('counts routes as wanted and present, by family and in all tables', () => {
    const nodes = [aNode(1), aNode(2)];
    const tables = [aTable(routesOf(1)), aTable(routesOf(2).slice(1), { id: 'second' })];
    assert.deepEqual(planFor({ nodes, tables }).counts, {
      IPv4: { wanted: 4, present: 1 },
      IPv6: { wanted: 4, present: 2 },
    });
  });

  it('has a finding about a destination that is not a CIDR', () => {
    const list = aRoute('10.9.0.0/16', elsewhere, { text: 'pl-1', destination: undefined });
    const { findings } = planFor({ tables: [aTable([...routesOf(1), { ...list, ours: false }])] });
    assert.deepEqual(findings, [
      {
        code: 'DestinationNotCIDR',
        table: 'main',
        message:
          'Table "main" has routes to destinations that are not CIDRs, which are left alone: pl-1.',
      },
    ]);
  });

  it('gives a reason for every operation', () => {
    const routes = [aRoute('10.244.1.0/24', dead), aRoute('10.244.9.0/24', toInstance(9))];
    assert.deepEqual(
      planFor({ tables: [aTable(routes)] }).operations.map(({ reason }) => reason),
      [
        'node node-1 has podCIDR 10.244.1.0/24, and the route to it is dead because its target is gone',
        'no node needs a route to 10.244.9.0/24',
        'node node-1 has podCIDR fd00:244:0:1::/64, and the table has no route to it',
      ],
    );
  });

  it('leaves the routes of a family without a cluster CIDR alone', () => {
    const given = {
      nodes: [],
      clusterCIDRs: [cidr('10.244.0.0/16')],
      tables: [aTable(routesOf(1))],
    };
    assert.deepEqual(operationTexts(planFor(given)), ['delete main 10.244.1.0/24']);
  });
});
