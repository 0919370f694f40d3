import assert from 'node:assert/strict';
import type { ListedRoute } from './listing.ts';
import type { RoutePlanInput } from './plan.ts';
import {
  aNode,
  aRoute,
  aSingleNode,
  aTable,
  dead,
  elsewhere,
  operationTexts,
  planFor,
  routesOf,
  toInstance,
} from './routes.fixture.ts';

/** An input of one node with one podCIDR, and a table with these routes. */
const single = (...routes: ListedRoute[]): Partial<RoutePlanInput> => ({
  nodes: [aSingleNode(1)],
  tables: [aTable(routes)],
});
describe('a table with a capacity', () => {
  const nodes = [aNode(1), aNode(2), aNode(3)];

  it('is never exceeded, and gets the routes of complete nodes first', () => {
    const tables = [aTable([], { capacity: 4 })];
    const plan = planFor({ nodes, tables });
    assert.deepEqual(operationTexts(plan), [
      'create main 10.244.1.0/24 node-1',
      'create main fd00:244:0:1::/64 node-1',
      'create main 10.244.2.0/24 node-2',
      'create main fd00:244:0:2::/64 node-2',
    ]);
    assert.deepEqual(plan.findings, [
      {
        code: 'RouteTableFull',
        table: 'main',
        message:
          'Table "main" has 0 of at most 4 routes, and these nodes wait for room: node-3. Raise its quota, or delete routes that are not needed.',
      },
    ]);
    assert.deepEqual(
      plan.nodes.get('uid-3')?.findings.map(({ code }) => code),
      ['RouteTableFull'],
    );
    assert.deepEqual(plan.nodes.get('uid-2')?.findings, []);
  });

  it('gives its last slot to the node that lacks only one route', () => {
    const tables = [aTable(routesOf(3).slice(0, 1), { capacity: 2 })];
    assert.deepEqual(operationTexts(planFor({ nodes, tables })), [
      'create main fd00:244:0:3::/64 node-3',
    ]);
  });

  it('counts the families separately if the cloud does', () => {
    const tables = [aTable(routesOf(1), { capacity: { IPv4: 2, IPv6: 9 } })];
    assert.deepEqual(operationTexts(planFor({ nodes, tables })), [
      'create main 10.244.2.0/24 node-2',
      'create main fd00:244:0:2::/64 node-2',
      'create main fd00:244:0:3::/64 node-3',
    ]);
  });

  it('counts a destination that is not a CIDR for both families', () => {
    const list = aRoute('10.9.0.0/16', elsewhere, { destination: undefined, ours: false });
    const tables = [aTable([list], { capacity: { IPv4: 1, IPv6: 1 } })];
    assert.deepEqual(planFor({ nodes, tables }).operations, []);
  });

  it('gets room by deletions for the next plan, and is not reported as full', () => {
    const tables = [aTable(routesOf(9), { capacity: 2 })];
    const plan = planFor({ nodes: [aNode(1)], tables });
    assert.deepEqual(operationTexts(plan), [
      'delete main 10.244.9.0/24',
      'delete main fd00:244:0:9::/64',
    ]);
    assert.deepEqual(plan.nodes.get('uid-1')?.findings, []);
    assert.deepEqual(
      plan.findings.map(({ code }) => code),
      ['RouteTableNearlyFull'],
    );
  });

  it('gets room only for the family of a deleted route if the cloud counts families separately', () => {
    const tables = [aTable(routesOf(9).slice(0, 1), { capacity: { IPv4: 1, IPv6: 0 } })];
    const plan = planFor({ nodes: [aNode(1)], tables });
    assert.deepEqual(operationTexts(plan), ['delete main 10.244.9.0/24']);
    assert.match(
      plan.nodes.get('uid-1')?.findings[0]?.message ?? '',
      /^No route to fd00:244:0:1::\/64 in table main: the table is full/,
    );
  });

  it('is reported above 80 %, but not at exactly 80 %', () => {
    const codesAt = (capacity: number): string[] =>
      planFor({
        nodes: nodes.slice(0, 2),
        tables: [aTable([...routesOf(1), ...routesOf(2)], { capacity })],
      }).findings.map(({ code }) => code);
    assert.deepEqual(codesAt(5), []);
    assert.deepEqual(codesAt(4), ['RouteTableNearlyFull']);
  });

  it('allows replacements and deletions if it is overfull', () => {
    const routes = [aRoute('10.244.1.0/24', toInstance(2)), aRoute('10.244.9.0/24', dead)];
    const given = { ...single(...routes), tables: [aTable(routes, { capacity: 1 })] };
    assert.deepEqual(operationTexts(planFor(given)), [
      'replace main 10.244.1.0/24 node-1',
      'delete main 10.244.9.0/24',
    ]);
  });
});
