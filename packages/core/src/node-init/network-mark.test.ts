/** New nodes if routes are managed: whether they are marked, and which taints keep pods away. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Cidr, parseCidr } from '../ip/index.ts';
import { networkUnavailableTaint, type RouteRules } from './network-mark.ts';
import { isInitialised, pausedAnnotation } from './node.ts';
import { aNode, anInput, applied, aReadyNode, found, tainted } from './node-init.fixture.ts';
import { type NodePlanInput, planNode } from './plan.ts';

const cidrOf = (text: string): Cidr => {
  const parsed = parseCidr(text);
  assert.ok(parsed.kind === 'cidr');
  return parsed.cidr;
};

const rules: RouteRules = {
  clusterCIDRs: ['10.244.0.0/16', 'fd00:10:244::/48'].map(cidrOf),
  families: ['IPv4', 'IPv6'],
  selector: undefined,
  allocates: false,
};
const v4 = '10.244.1.0/24';
const v6 = 'fd00:10:244:1::/64';
const network = networkUnavailableTaint.key;
const noRoute = { status: 'True', reason: 'NoRouteCreated' };

/** The actions, and the remaining taints. */
function sketch(input: NodePlanInput): string {
  const { actions } = planNode(input);
  const end = actions.reduce(applied, input.node);
  const left = end.taints.map(({ key }) => key.replace('node.kubernetes.io/', ''));
  return `${actions.map(({ kind }) => kind).join(', ')}; ${left.join(', ')}`;
}

const twoWrites = 'writeAddresses, initialise; ';
const threeWrites = 'writeAddresses, writeNetworkCondition, initialise; network-unavailable';

describe('a node that is initialised while routes are managed', () => {
  const routed = aNode({ podCIDRs: [v4, v6] });
  const cases: { name: string; given: Partial<NodePlanInput>; want: string }[] = [
    {
      name: 'is not marked if routes are not managed',
      given: { node: routed, routes: undefined },
      want: twoWrites,
    },
    {
      name: 'is marked, and gets the network taint in place of the removed one',
      given: { node: routed },
      want: threeWrites,
    },
    {
      name: 'is marked for one family that needs a route',
      given: { node: routed, answer: found({ podBlocks: { IPv4: [v4], IPv6: [] } }) },
      want: threeWrites,
    },
    {
      name: 'is not marked if the cloud routes all of its podCIDRs by itself',
      given: { node: routed, answer: found({ podBlocks: { IPv4: [v4], IPv6: [v6] } }) },
      want: twoWrites,
    },
    {
      name: 'is not marked for a family that the cloud cannot route',
      given: { node: aNode({ podCIDRs: [v6] }), routes: { ...rules, families: ['IPv4'] } },
      want: twoWrites,
    },
    {
      name: 'is not marked for podCIDRs outside of the cluster',
      given: { node: aNode({ podCIDRs: ['10.9.0.0/24'] }) },
      want: twoWrites,
    },
    {
      name: 'is marked without podCIDRs if this manager allocates them',
      given: { routes: { ...rules, allocates: true } },
      want: threeWrites,
    },
    {
      name: 'is not marked without podCIDRs if another program allocates them',
      given: {},
      want: twoWrites,
    },
    {
      name: 'is marked if the selector matches a label that the cloud gives it',
      given: {
        node: routed,
        answer: found({ labels: { rack: 'r1' } }),
        routes: { ...rules, selector: { matchLabels: { rack: 'r1' } } },
      },
      want: threeWrites,
    },
    {
      name: 'is not marked if the selector does not match',
      given: { node: routed, routes: { ...rules, selector: { matchLabels: { rack: 'r1' } } } },
      want: twoWrites,
    },
    {
      name: 'keeps the condition of a network plugin',
      given: { node: { ...routed, networkUnavailable: { status: 'True', reason: 'Calico' } } },
      want: twoWrites,
    },
    {
      name: 'gets the taint if an earlier attempt has marked it',
      given: { node: { ...routed, networkUnavailable: noRoute } },
      want: 'writeAddresses, initialise; network-unavailable',
    },
    {
      name: 'keeps the taint if kube-controller-manager has added it',
      given: {
        node: { ...routed, networkUnavailable: noRoute, taints: [...tainted, { key: network }] },
      },
      want: 'writeAddresses, initialise; network-unavailable',
    },
    {
      name: 'is not touched while it is paused',
      given: { node: { ...routed, annotations: { [pausedAnnotation]: 'true' } } },
      want: '; node.cloudprovider.kubernetes.io/uninitialized',
    },
    {
      name: 'is not marked after its initialisation',
      given: { node: aReadyNode({ podCIDRs: [v4, v6] }) },
      want: '; ',
    },
  ];
  for (const { name, given, want } of cases) {
    it(name, () => assert.equal(sketch(anInput({ routes: rules, ...given })), want));
  }

  it('has reasons that say why it is marked and which taint is added', () => {
    const { actions } = planNode(anInput({ node: routed, routes: rules }));
    assert.deepEqual(
      actions.slice(1).map(({ reason }) => reason()),
      [
        'the node has podCIDRs that need routes',
        'the instance is "cloud://0": remove the taint after the addresses are stored, add node.kubernetes.io/network-unavailable:NoSchedule until the routes are there',
      ],
    );
  });

  const input = fc
    .record({
      podCIDRs: fc.subarray([v4, v6, '10.9.0.0/24']),
      networkUnavailable: fc.constantFrom(
        undefined,
        undefined,
        noRoute,
        { status: 'False', reason: 'RouteCreated' },
        { status: 'True', reason: 'Calico' },
      ),
      blocks: fc.constantFrom([], [v4]),
      families: fc.subarray(['IPv4', 'IPv6'] as const),
      selector: fc.constantFrom(undefined, { matchLabels: { rack: 'r1' } }),
      labels: fc.constantFrom({}, { rack: 'r1' }),
      allocates: fc.boolean(),
    })
    .map(({ podCIDRs, networkUnavailable, labels, blocks, ...rest }) =>
      anInput({
        node: aNode({ podCIDRs, networkUnavailable, labels }),
        answer: found({ podBlocks: { IPv4: blocks, IPv6: [] } }),
        routes: { ...rules, ...rest },
      }),
    );

  it('never lacks both taints while it lacks routes, and ends the same from any intermediate state', () => {
    let marked = 0;
    fc.assert(
      fc.property(input, (given) => {
        const { actions } = planNode(given);
        const isMarked = isMarkedNaively(given);
        if (isMarked) marked++;
        const end = actions.reduce(applied, given.node);
        let node = given.node;
        for (const action of [undefined, ...actions]) {
          if (action !== undefined) node = applied(node, action);
          assert.equal(node.taints.length > 0, !isInitialised(node) || isMarked);
          if (isMarked && isInitialised(node)) {
            assert.equal(node.networkUnavailable?.status, 'True');
          }
          const again = planNode({ ...given, node }).actions.reduce(applied, node);
          assert.deepEqual(again, end);
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(marked > 50, `only ${marked} nodes were marked`);
  });
});

/** Checks the rules one by one, for the values above. */
function isMarkedNaively({ node, routes, answer }: NodePlanInput): boolean {
  const { networkUnavailable: condition, podCIDRs, labels } = node;
  if (condition !== undefined) return condition.reason === noRoute.reason;
  if (routes?.selector !== undefined && labels['rack'] !== 'r1') return false;
  if (podCIDRs.length === 0) return routes?.allocates === true;
  const canRoute = (family: string): boolean =>
    routes?.families.some((one) => one === family) === true;
  const isRoutedByCloud = answer?.kind === 'found' && answer.instance.podBlocks.IPv4.length > 0;
  const needsIPv4 = podCIDRs.includes(v4) && canRoute('IPv4') && !isRoutedByCloud;
  return needsIPv4 || (podCIDRs.includes(v6) && canRoute('IPv6'));
}
