import assert from 'node:assert/strict';
import {
  aNode,
  aRoute,
  aSingleNode,
  aTable,
  cidr,
  dead,
  operationTexts,
  planFor,
  routesOf,
  toInstance,
} from './routes.fixture.ts';

describe('two nodes whose podCIDRs overlap', () => {
  const second = (podCIDR: string, changes = {}) =>
    aSingleNode(2, { podCIDRs: [podCIDR], ...changes });
  const nodes = [aSingleNode(1), second('10.244.0.0/22')];
  const conflicts = [
    { name: 'one contains the addresses of the other', nodes },
    { name: 'both have the same podCIDR', nodes: [aSingleNode(1), second('10.244.1.0/24')] },
    {
      name: 'one of them is paused',
      nodes: [aSingleNode(1), second('10.244.1.0/24', { isPaused: true })],
    },
  ];
  for (const { name, nodes: both } of conflicts) {
    it(`have none of their routes changed if ${name}`, () => {
      for (const target of [toInstance(1), toInstance(9), dead]) {
        const tables = [aTable([aRoute('10.244.1.0/24', target)])];
        assert.deepEqual(planFor({ nodes: both, tables }).operations, []);
        assert.deepEqual(planFor({ nodes: both, tables: [aTable([])] }).operations, []);
      }
    });
  }

  it('do not make the node with a route unavailable, and both have a finding', () => {
    const tables = [aTable([aRoute('10.244.1.0/24', toInstance(1))])];
    const plan = planFor({ nodes, tables });
    const [one, other] = [plan.nodes.get('uid-1'), plan.nodes.get('uid-2')];
    assert.equal(one?.verdict.kind, 'available');
    assert.equal(other?.verdict.kind, 'unavailable');
    for (const routes of [one, other]) {
      assert.deepEqual(
        routes?.findings.map(({ code }) => code),
        ['RouteDestinationShared'],
      );
    }
    assert.match(one?.findings[0]?.message ?? '', /10\.244\.1\.0\/24 \(shared with node-2\)/);
  });
});

describe('nodes that share one list of podCIDRs', () => {
  it('keep the routes to it unchanged, and both have a finding', () => {
    const podCIDRs = ['10.244.1.0/24'];
    const tables = [aTable([aRoute('10.244.0.0/20', toInstance(9))])];
    const plan = planFor({ nodes: [aNode(1, { podCIDRs }), aNode(2, { podCIDRs })], tables });
    assert.deepEqual(plan.operations, []);
    const codes = [...plan.nodes.values()].flatMap(({ findings }) =>
      findings.map(({ code }) => code),
    );
    assert.deepEqual(codes, ['RouteDestinationShared', 'RouteDestinationShared']);
  });
});

describe('a podCIDR', () => {
  it('outside the cluster CIDRs gets no route, but a finding', () => {
    const podCIDRs = ['10.245.1.0/24', 'fd00:244:0:1::/64'];
    const plan = planFor({ nodes: [aNode(1, { podCIDRs })] });
    assert.deepEqual(operationTexts(plan), ['create main fd00:244:0:1::/64 node-1']);
    assert.deepEqual(plan.nodes.get('uid-1')?.findings, [
      {
        code: 'PodCIDROutsideClusterCIDRs',
        message:
          'Cannot manage routes to 10.245.1.0/24: it is outside the cluster CIDRs. Add its range to --cluster-cidr or podCIDRPools, or exclude the node with routes.selector.',
      },
    ]);
  });

  it('shares one finding with the other podCIDR if neither can have a route', () => {
    const podCIDRs = ['10.245.1.0/24', 'fd00:245::/64'];
    const [outside] =
      planFor({ nodes: [aNode(1, { podCIDRs })] }).nodes.get('uid-1')?.findings ?? [];
    assert.match(
      outside?.message ?? '',
      /^Cannot manage routes to 10\.245\.1\.0\/24 and fd00:245::\/64: they are outside the cluster CIDRs\. Add their ranges to /,
    );
  });

  it('in a service range has a finding without the advice to extend the cluster CIDRs', () => {
    const podCIDRs = ['10.96.1.0/24', 'fd00:244:0:1::/64'];
    const serviceRanges = [cidr('10.96.0.0/12')];
    const plan = planFor({ nodes: [aNode(1, { podCIDRs })], serviceRanges });
    assert.deepEqual(plan.nodes.get('uid-1')?.findings, [
      {
        code: 'PodCIDRInServiceRange',
        message:
          'Cannot manage routes to 10.96.1.0/24: Services use these addresses (10.96.0.0/12). Delete the Node and let its kubelet register it again, so that it gets other podCIDRs.',
      },
    ]);
  });

  it('of a node whose look-up failed has one finding for both families, with the cloud’s message', () => {
    const lookupFailure = 'EC2 answers RequestLimitExceeded';
    const nodes = [aNode(1, { instance: undefined, lookupFailure })];
    const plan = planFor({ nodes, tables: [aTable(routesOf(1))] });
    assert.deepEqual(plan.operations, []);
    assert.deepEqual(plan.nodes.get('uid-1')?.findings, [
      {
        code: 'InstanceLookupFailed',
        message:
          'Cannot manage routes to 10.244.1.0/24 and fd00:244:0:1::/64 yet: the instance of the node could not be looked up (EC2 answers RequestLimitExceeded). Tandem tries again by itself.',
      },
    ]);
  });

  it('of a node whose instance is gone keeps its route, and its finding does not say it has none', () => {
    const nodes = [aNode(1, { instance: undefined })];
    const plan = planFor({ nodes, tables: [aTable(routesOf(1))] });
    assert.deepEqual(plan.operations, []);
    assert.deepEqual(plan.nodes.get('uid-1')?.findings, [
      {
        code: 'InstanceUnknown',
        message:
          'Cannot manage routes to 10.244.1.0/24 and fd00:244:0:1::/64: the cloud has no instance for the node. Delete the Node if its machine is gone, or correct its providerID.',
      },
    ]);
  });

  it('that contains a cluster CIDR protects the routes inside it', () => {
    const nodes = [aSingleNode(1, { podCIDRs: ['10.244.0.0/15'] })];
    assert.deepEqual(operationTexts(planFor({ nodes, tables: [aTable(routesOf(3))] })), [
      'delete main fd00:244:0:3::/64',
    ]);
  });

  it('that is not a CIDR has a finding, and the other podCIDR gets its route', () => {
    const plan = planFor({ nodes: [aNode(1, { podCIDRs: ['10.244.1.0/24', 'nonsense'] })] });
    assert.deepEqual(operationTexts(plan), ['create main 10.244.1.0/24 node-1']);
    assert.match(
      plan.nodes.get('uid-1')?.findings[0]?.message ?? '',
      /^No route to nonsense: it is not a CIDR/,
    );
  });

  it('that is not a CIDR has no finding on a node that is left alone', () => {
    const nodes = [aNode(1, { podCIDRs: ['nonsense'], isPaused: true })];
    assert.deepEqual(planFor({ nodes }).nodes.get('uid-1')?.findings, []);
  });

  it('with bits beyond its prefix counts as its network, and is routed once', () => {
    const nodes = [aSingleNode(1, { podCIDRs: ['10.244.1.7/24', '10.244.1.0/24'] })];
    assert.deepEqual(operationTexts(planFor({ nodes })), ['create main 10.244.1.0/24 node-1']);
    const plan = planFor({ nodes, tables: [aTable(routesOf(1).slice(0, 1))] });
    assert.deepEqual(plan.operations, []);
    assert.deepEqual(plan.nodes.get('uid-1')?.verdict, { kind: 'available' });
  });
});
