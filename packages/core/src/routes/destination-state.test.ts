import assert from 'node:assert/strict';
import type { ListedRoute, ListedTarget } from './listing.ts';
import type { RoutePlanInput } from './plan.ts';
import {
  aRoute,
  aSingleNode,
  aTable,
  dead,
  elsewhere,
  planFor,
  toInstance,
} from './routes.fixture.ts';

/** An input of one node with one podCIDR, and a table with these routes. */
const single = (...routes: ListedRoute[]): Partial<RoutePlanInput> => ({
  nodes: [aSingleNode(1)],
  tables: [aTable(routes)],
});
const foreign = { ours: false };

describe('a wanted destination of a foreign route', () => {
  it('causes no operation, but a finding on the node', () => {
    const plan = planFor(single(aRoute('10.244.1.0/24', elsewhere, foreign)));
    assert.deepEqual(plan.operations, []);
    const routes = plan.nodes.get('uid-1');
    assert.deepEqual(routes?.verdict, {
      kind: 'unavailable',
      missing: ['no route to 10.244.1.0/24 in table main'],
      isBlocked: true,
    });
    assert.deepEqual(routes.findings, [
      {
        code: 'RouteDestinationTaken',
        message:
          'No route to 10.244.1.0/24 in table main: a route that this manager did not create has this destination. Delete that route.',
      },
    ]);
  });

  it('counts as routed if the foreign route leads to the node', () => {
    const plan = planFor(single(aRoute('10.244.1.0/24', toInstance(1), foreign)));
    assert.deepEqual(plan.operations, []);
    assert.deepEqual(plan.nodes.get('uid-1')?.verdict, { kind: 'available' });
  });

  it('does not count as routed if the instance does not forward, and is not repaired', () => {
    const plan = planFor(single(aRoute('10.244.1.0/24', toInstance(1, false), foreign)));
    assert.deepEqual(plan.operations, []);
    assert.equal(plan.nodes.get('uid-1')?.verdict.kind, 'unavailable');
  });
});

describe('a wanted destination of a route with an unknown target', () => {
  const unknown: ListedTarget = { kind: 'unknown', why: 'the zone is down' };
  const unread = aRoute('10.244.1.0/24', unknown, foreign);

  it('causes no operation and no condition, but a finding on the node (P3)', () => {
    const plan = planFor(single(unread));
    assert.deepEqual(plan.operations, []);
    const { verdict, findings } = plan.nodes.get('uid-1') ?? assert.fail('the node is not judged');
    assert.deepEqual(verdict, {
      kind: 'leftAlone',
      reason: 'the cloud does not say where the routes to its podCIDRs lead',
    });
    assert.deepEqual(findings, [
      {
        code: 'RouteTargetUnknown',
        message:
          'Routes to 10.244.1.0/24 in table main stay as they are: the cloud does not say where they lead (the zone is down). Tandem tries again by itself.',
      },
    ]);
    assert.deepEqual(plan.findings, [
      {
        code: 'RouteTargetsUnknown',
        table: 'main',
        message:
          'Table "main" has routes whose targets the cloud does not name, which are left alone: 10.244.1.0/24. `kubectl nodeip routes -o wide` shows why.',
      },
    ]);
  });

  it('is told with every reason where the routes of the node have several', () => {
    const other = { ...unknown, why: 'access denied' };
    const routes = [unread, aRoute('fd00:244:0:1::/64', other, foreign)];
    const messages = [routes, routes.toReversed()].map((listed) =>
      planFor({ tables: [aTable(listed)] })
        .nodes.get('uid-1')
        ?.findings.map(({ message }) => message),
    );
    const message =
      'Routes to 10.244.1.0/24 in table main and fd00:244:0:1::/64 in table main stay as they are: the cloud does not say where they lead (access denied; the zone is down). Tandem tries again by itself.';
    assert.deepEqual(messages, [[message], [message]]);
  });

  it('does not hide that another route of the node is missing', () => {
    const plan = planFor({ tables: [aTable([unread])] });
    const { verdict } = plan.nodes.get('uid-1') ?? assert.fail('the node is not judged');
    const missing = ['no route to fd00:244:0:1::/64 in table main'];
    assert.deepEqual(verdict, { kind: 'unavailable', missing, isBlocked: false });
    assert.equal(plan.operations.length, 1);
  });

  it('is served by another route of ours', () => {
    const plan = planFor(single({ ...unread, id: 'a' }, aRoute('10.244.1.0/24', toInstance(1))));
    assert.deepEqual(plan.operations, []);
    assert.deepEqual(plan.nodes.get('uid-1')?.verdict, { kind: 'available' });
  });

  it('keeps the route even if no node needs it', () => {
    assert.deepEqual(planFor({ nodes: [], tables: [aTable([unread])] }).operations, []);
  });
});

describe('several routes to one destination', () => {
  const route = (id: string, target = toInstance(1), changes = {}) =>
    aRoute('10.244.1.0/24', target, { id, ...changes });
  const cases = [
    {
      name: 'lose our superfluous routes, one in each plan',
      routes: [route('c'), route('b', toInstance(2)), route('a')],
      want: ['delete b'],
    },
    {
      name: 'first have one route replaced: the one that is nearest to correct',
      routes: [route('a', dead), route('b', elsewhere), route('c', toInstance(1, false))],
      want: ['replace c'],
    },
    {
      name: 'have our route replaced rather than a dead foreign one',
      routes: [route('a', dead, foreign), route('b', elsewhere)],
      want: ['replace b'],
    },
    {
      name: 'keep the foreign ones',
      routes: [route('a', elsewhere, foreign), route('b')],
      want: [],
    },
    {
      name: 'have our route replaced although there is a foreign one',
      routes: [route('a', elsewhere, foreign), route('b', elsewhere)],
      want: ['replace b'],
    },
    {
      name: 'get no route of ours beside a live foreign one',
      routes: [route('a', elsewhere, foreign), route('b', dead, foreign)],
      want: [],
    },
    {
      name: 'lose the dead one if a foreign one serves the node',
      routes: [route('a', toInstance(1), foreign), route('b', dead, foreign)],
      want: ['delete b'],
    },
  ];
  for (const { name, routes, want } of cases) {
    it(name, () => {
      const plan = planFor(single(...routes));
      const texts = plan.operations.map(({ operation }) =>
        operation.kind === 'create' ? operation.kind : `${operation.kind} ${operation.route}`,
      );
      assert.deepEqual(texts, want);
      assert.deepEqual(
        plan.findings.map(({ code }) => code),
        ['DuplicateRoutes'],
      );
    });
  }
});
