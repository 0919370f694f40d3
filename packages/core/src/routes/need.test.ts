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
    { name: 'one has the addresses of the other', nodes },
    { name: 'both have one podCIDR', nodes: [aSingleNode(1), second('10.244.1.0/24')] },
    {
      name: 'one of them is paused',
      nodes: [aSingleNode(1), second('10.244.1.0/24', { isPaused: true })],
    },
  ];
  for (const { name, nodes: both } of conflicts) {
    it(`have none of their routes changed where ${name}`, () => {
      for (const target of [toInstance(1), toInstance(9), dead]) {
        const tables = [aTable([aRoute('10.244.1.0/24', target)])];
        assert.deepEqual(planFor({ nodes: both, tables }).operations, []);
        assert.deepEqual(planFor({ nodes: both, tables: [aTable([])] }).operations, []);
      }
    });
  }

  it('leave the one available whose route stands, and tell both', () => {
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

describe('nodes whose podCIDRs are one and the same list', () => {
  it('keep routes to it as they are, and both are told', () => {
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
  it('outside the cluster CIDRs gets no route, and the node is told', () => {
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

  it('is told together with the other where none of the two can have a route', () => {
    const podCIDRs = ['10.245.1.0/24', 'fd00:245::/64'];
    const [outside] =
      planFor({ nodes: [aNode(1, { podCIDRs })] }).nodes.get('uid-1')?.findings ?? [];
    assert.match(
      outside?.message ?? '',
      /^Cannot manage routes to 10\.245\.1\.0\/24 and fd00:245::\/64: they are outside the cluster CIDRs\. Add their ranges to /,
    );
  });

  it('of a service range is not told to be added to the cluster CIDRs', () => {
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

  it('of a node that could not be looked up is told with the words of the cloud, once for both families', () => {
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

  it('of a node whose instance is gone keeps its route, and is not said to have none', () => {
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

  it('larger than the cluster CIDR that it lies in protects the routes within', () => {
    const nodes = [aSingleNode(1, { podCIDRs: ['10.244.0.0/15'] })];
    assert.deepEqual(operationTexts(planFor({ nodes, tables: [aTable(routesOf(3))] })), [
      'delete main fd00:244:0:3::/64',
    ]);
  });

  it('that is no CIDR is told and hides no other one', () => {
    const plan = planFor({ nodes: [aNode(1, { podCIDRs: ['10.244.1.0/24', 'nonsense'] })] });
    assert.deepEqual(operationTexts(plan), ['create main 10.244.1.0/24 node-1']);
    assert.match(
      plan.nodes.get('uid-1')?.findings[0]?.message ?? '',
      /^No route to nonsense: it is not a CIDR/,
    );
  });

  it('that is no CIDR is not told of on a node that is left alone', () => {
    const nodes = [aNode(1, { podCIDRs: ['nonsense'], isPaused: true })];
    assert.deepEqual(planFor({ nodes }).nodes.get('uid-1')?.findings, []);
  });

  it('with bits beyond its prefix is the network that it lies in, and is routed once', () => {
    const nodes = [aSingleNode(1, { podCIDRs: ['10.244.1.7/24', '10.244.1.0/24'] })];
    assert.deepEqual(operationTexts(planFor({ nodes })), ['create main 10.244.1.0/24 node-1']);
    const plan = planFor({ nodes, tables: [aTable(routesOf(1).slice(0, 1))] });
    assert.deepEqual(plan.operations, []);
    assert.deepEqual(plan.nodes.get('uid-1')?.verdict, { kind: 'available' });
  });
});
