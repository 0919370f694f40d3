import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type FirstConditionInput, planFirstNetworkCondition } from './first-condition.ts';
import { noRouteHistory, type RouteHistory } from './history.ts';
import {
  describeLeftMarked,
  type NetworkCondition,
  type NetworkConditionInput,
  planNetworkCondition,
} from './network-condition.ts';
import { aNode, aTable, cidr, clusterCIDRs, routesOf } from './routes.fixture.ts';
import type { RouteVerdict } from './verdict.ts';
import { assertHits } from '../../../../test/support/hits.ts';

const available: RouteVerdict = { kind: 'available' };
const missing: RouteVerdict = {
  kind: 'unavailable',
  missing: ['no route to 10.244.1.0/24 in table main'],
  isBlocked: false,
};
const isFalse: NetworkCondition = { status: 'False', reason: 'RouteCreated' };
const isTrue: NetworkCondition = { status: 'True', reason: 'NoRouteCreated' };
const refusedOnce: RouteHistory = { lastWriteMs: 50, refusals: 1, failures: 0 };
const failedTwice: RouteHistory = { lastWriteMs: 50, refusals: 0, failures: 2 };

const anInput = (input: Partial<NetworkConditionInput> = {}): NetworkConditionInput => ({
  condition: undefined,
  verdict: available,
  history: noRouteHistory,
  listing: { asOfMs: 100, tables: [aTable(routesOf(1))] },
  ...input,
});

/** The status that is written, if any. */
const written = (input: Partial<NetworkConditionInput>): string | undefined =>
  planNetworkCondition(anInput(input))?.condition.status;

describe('NetworkUnavailable of a node whose routes are managed', () => {
  it('has exactly upstream’s reasons and messages', () => {
    const marked = { verdict: missing, history: refusedOnce };
    assert.deepEqual(planNetworkCondition(anInput()), {
      condition: {
        type: 'NetworkUnavailable',
        status: 'False',
        reason: 'RouteCreated',
        message: 'RouteController created a route',
      },
      why: 'every route that the node needs is there',
    });
    assert.deepEqual(planNetworkCondition(anInput(marked)), {
      condition: {
        type: 'NetworkUnavailable',
        status: 'True',
        reason: 'NoRouteCreated',
        message: 'RouteController failed to create a route',
      },
      why: 'no route to 10.244.1.0/24 in table main',
    });
  });

  const cases: readonly {
    readonly name: string;
    readonly given: Partial<NetworkConditionInput>;
    readonly want: 'True' | 'False' | undefined;
  }[] = [
    {
      name: 'is never overwritten if a network plugin wrote it',
      given: { condition: { status: 'True', reason: 'CalicoIsDown' } },
      want: undefined,
    },
    {
      name: 'is not overwritten with True either',
      given: {
        condition: { status: 'False', reason: 'CiliumIsUp' },
        verdict: missing,
        history: failedTwice,
      },
      want: undefined,
    },
    {
      name: 'becomes False when every route is there',
      given: { condition: isTrue },
      want: 'False',
    },
    { name: 'is not written again if it is right', given: { condition: isFalse }, want: undefined },
    {
      name: 'gets the right reason for False',
      given: { condition: { status: 'False', reason: 'NoRouteCreated' } },
      want: 'False',
    },
    {
      name: 'does not become False on a list that is older than the last write',
      given: { condition: isTrue, history: { ...noRouteHistory, lastWriteMs: 101 } },
      want: undefined,
    },
    {
      name: 'becomes False on a list that began when the last write ended',
      given: { condition: isTrue, history: { ...noRouteHistory, lastWriteMs: 100 } },
      want: 'False',
    },
    {
      name: 'stays False if a list only lacks a route',
      given: { condition: isFalse, verdict: missing },
      want: undefined,
    },
    {
      name: 'is not written if a list only lacks a route',
      given: { verdict: missing },
      want: undefined,
    },
    {
      name: 'stays False when one creation failed',
      given: { condition: isFalse, verdict: missing, history: { ...failedTwice, failures: 1 } },
      want: undefined,
    },
    {
      name: 'becomes True when creations failed twice',
      given: { condition: isFalse, verdict: missing, history: failedTwice },
      want: 'True',
    },
    {
      name: 'becomes True when the cloud refused the creation',
      given: { condition: isFalse, verdict: missing, history: refusedOnce },
      want: 'True',
    },
    {
      name: 'does not become True on a list that is older than the refusal',
      given: { verdict: missing, history: { ...refusedOnce, lastWriteMs: 101 } },
      want: undefined,
    },
    {
      name: 'stays True, without another write, while routes are missing',
      given: { condition: isTrue, verdict: missing, history: refusedOnce },
      want: undefined,
    },
    {
      name: 'does not become True when the cloud lists nothing',
      given: {
        verdict: missing,
        history: refusedOnce,
        listing: { asOfMs: 100, tables: [aTable([])] },
      },
      want: undefined,
    },
    {
      name: 'is left alone on nodes that are left alone',
      given: { condition: isTrue, verdict: { kind: 'leftAlone', reason: 'the node is paused' } },
      want: undefined,
    },
    {
      name: 'is left alone on nodes without podCIDRs',
      given: { condition: isTrue, verdict: { kind: 'noPodCIDRs' } },
      want: undefined,
    },
  ];
  for (const { name, given, want } of cases) it(name, () => assert.equal(written(given), want));

  it('needs only one write, whatever it was before', () => {
    const condition = fc.option(
      fc.record({
        status: fc.constantFrom('True', 'False', 'Unknown'),
        reason: fc.constantFrom('RouteCreated', 'NoRouteCreated', 'CalicoIsUp', ''),
      }),
      { nil: undefined },
    );
    const history = fc.constantFrom(noRouteHistory, refusedOnce, failedTwice);
    assertHits(20, (hit) =>
      fc.assert(
        fc.property(
          condition,
          fc.constantFrom(available, missing),
          history,
          (before, verdict, seen) => {
            const input = anInput({ condition: before, verdict, history: seen });
            const write = planNetworkCondition(input);
            if (write === undefined) return;
            hit();
            assert.equal(planNetworkCondition({ ...input, condition: write.condition }), undefined);
          },
        ),
      ),
    );
  });
});

describe('NetworkUnavailable of a node that is being initialised', () => {
  const atFirst = (input: Partial<FirstConditionInput>): string | undefined =>
    planFirstNetworkCondition({
      node: aNode(1),
      condition: undefined,
      allocates: false,
      clusterCIDRs,
      families: ['IPv4', 'IPv6'],
      ...input,
    })?.condition.status;
  const without = aNode(1, { podCIDRs: [] });
  const byCloud = aNode(1, {
    instance: {
      key: 'i-1',
      podBlocks: { IPv4: ['10.244.1.0/24'], IPv6: ['fd00:244:0:1::/64'] },
    },
  });

  const cases: readonly {
    readonly name: string;
    readonly given: Partial<FirstConditionInput>;
    readonly want: 'True' | undefined;
  }[] = [
    { name: 'is True if its podCIDRs need routes', given: {}, want: 'True' },
    {
      name: 'is True if the node waits for its podCIDRs',
      given: { node: without, allocates: true },
      want: 'True',
    },
    {
      name: 'is not written without podCIDRs if this manager does not allocate',
      given: { node: without },
      want: undefined,
    },
    {
      name: 'is not written if the cloud routes the podCIDRs by itself',
      given: { node: byCloud, allocates: true },
      want: undefined,
    },
    {
      name: 'is not written if the cloud cannot route the family',
      given: { node: aNode(1, { podCIDRs: ['fd00:244:0:1::/64'] }), families: ['IPv4'] },
      want: undefined,
    },
    {
      name: 'is not written if the podCIDRs are outside the cluster CIDRs',
      given: { clusterCIDRs: [cidr('10.0.0.0/16')] },
      want: undefined,
    },
    {
      name: 'is True if the addresses of the node are not known yet',
      given: { node: aNode(1, { internalIPs: {} }) },
      want: 'True',
    },
    {
      name: 'is True if the instance of the node is not known yet',
      given: { node: aNode(1, { instance: undefined }) },
      want: 'True',
    },
    { name: 'stays False', given: { condition: isFalse }, want: undefined },
    {
      name: 'is not overwritten if a network plugin wrote it',
      given: { condition: { status: 'False', reason: 'CiliumIsUp' } },
      want: undefined,
    },
    {
      name: 'is not written to a paused node',
      given: { node: aNode(1, { isPaused: true }) },
      want: undefined,
    },
    {
      name: 'is not written to a node that routes.selector leaves out',
      given: { node: aNode(1, { isSelected: false }) },
      want: undefined,
    },
    {
      name: 'is not written to a node of another cloud',
      given: { node: aNode(1, { isOurs: false }) },
      want: undefined,
    },
  ];
  for (const { name, given, want } of cases) it(name, () => assert.equal(atFirst(given), want));
});

describe('when routes are no longer managed', () => {
  it('the message counts the nodes left at True, with the command that clears one', () => {
    const message = describeLeftMarked([
      { name: 'b', condition: isTrue },
      { name: 'a', condition: isTrue },
      { name: 'fine', condition: isFalse },
      { name: 'calico', condition: { status: 'True', reason: 'CalicoIsDown' } },
      { name: 'new', condition: undefined },
    ]);
    assert.equal(
      message,
      `Routes are not managed, and NetworkUnavailable is still True on 2 nodes: a and b. Unless another controller manages routes, clear each with: kubectl patch node NAME --subresource=status -p '{"status":{"conditions":[{"type":"NetworkUnavailable","status":"False","reason":"RouteCreated","message":"RouteController created a route"}]}}'`,
    );
  });

  it('there is no message if no node is left at True', () => {
    assert.equal(describeLeftMarked([{ name: 'fine', condition: isFalse }]), undefined);
  });
});
