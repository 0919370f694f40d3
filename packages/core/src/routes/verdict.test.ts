import assert from 'node:assert/strict';
import type { RoutePlanInput } from './plan.ts';
import { aNode, aRoute, aTable, dead, planFor, routesOf, toInstance } from './routes.fixture.ts';

describe('the verdict on a node', () => {
  it('is available only with every route in every table', () => {
    const full = aTable(routesOf(1));
    const half = aTable(routesOf(1).slice(1), { id: 'second' });
    const kind = (tables: RoutePlanInput['tables']) =>
      planFor({ tables }).nodes.get('uid-1')?.verdict;
    assert.deepEqual(kind([full]), { kind: 'available' });
    assert.deepEqual(kind([full, half]), {
      kind: 'unavailable',
      missing: ['no route to 10.244.1.0/24 in table second'],
      isBlocked: false,
    });
  });

  it('says what is wrong with existing routes', () => {
    const routes = [
      aRoute('10.244.1.0/24', dead),
      aRoute('fd00:244:0:1::/64', toInstance(1, false)),
    ];
    assert.deepEqual(planFor({ tables: [aTable(routes)] }).nodes.get('uid-1')?.verdict, {
      kind: 'unavailable',
      missing: [
        'the route to 10.244.1.0/24 in table main is dead because its target is gone',
        'the route to fd00:244:0:1::/64 in table main leads to the instance of the node, whose next hop is outdated or does not forward yet',
      ],
      isBlocked: false,
    });
  });

  it('is not available without a table, with a finding', () => {
    const plan = planFor({ tables: [] });
    assert.equal(plan.nodes.get('uid-1')?.verdict.kind, 'unavailable');
    assert.deepEqual(
      plan.findings.map(({ code }) => code),
      ['NoRouteTables'],
    );
  });

  it('is leftAlone while its instance is unknown, even if the cloud can route none of its families', () => {
    const node = aNode(1, { instance: undefined });
    const plan = planFor({ nodes: [node], families: [], tables: [aTable([])] });
    assert.equal(plan.nodes.get('uid-1')?.verdict.kind, 'leftAlone');
  });

  it('never waits for a family that the cloud cannot route, with a finding about the family', () => {
    const plan = planFor({ families: ['IPv4'], tables: [aTable(routesOf(1).slice(0, 1))] });
    assert.deepEqual(plan.nodes.get('uid-1'), {
      name: 'node-1',
      uid: 'uid-1',
      verdict: { kind: 'available' },
      findings: [],
    });
    assert.deepEqual(plan.findings, [
      {
        code: 'FamilyNotRoutable',
        table: undefined,
        message:
          'The cloud cannot route IPv6. Nodes with IPv6 podCIDRs: 1. They get no IPv6 routes and count as available without them.',
      },
    ]);
  });

  it('waits for a family without an InternalIP of the node', () => {
    const nodes = [aNode(1, { internalIPs: { IPv4: aNode(1).internalIPs.IPv4! } })];
    const routes = planFor({ nodes, tables: [aTable(routesOf(1))] }).nodes.get('uid-1');
    assert.equal(routes?.verdict.kind, 'unavailable');
    assert.deepEqual(
      routes.findings.map(({ code }) => code),
      ['NoInternalIPOfFamily'],
    );
  });

  it('counts a podCIDR as routed that the cloud routes by itself', () => {
    const podBlocks = { IPv4: ['10.244.1.0/24'], IPv6: ['fd00:244:0:1::/64'] };
    const nodes = [aNode(1, { instance: { key: 'i-1', podBlocks } })];
    const plan = planFor({ nodes, tables: [] });
    assert.deepEqual(plan.nodes.get('uid-1')?.verdict, { kind: 'available' });
  });

  it('is noPodCIDRs for a node without podCIDRs', () => {
    const plan = planFor({ nodes: [aNode(1, { podCIDRs: [] })] });
    assert.deepEqual(plan.nodes.get('uid-1')?.verdict, { kind: 'noPodCIDRs' });
  });
});
