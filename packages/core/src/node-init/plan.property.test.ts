/** Properties of the plan, for random nodes, clouds and configurations. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Cidr, cidrOfAddress, containsAddress, parseAddress, parseCidr } from '../ip/index.ts';
import {
  kubeletAnnotation,
  type NodeAddress,
  operatorAnnotation,
  stackOf,
  readAddresses,
} from '../node-address/index.ts';
import type { CloudAnswer, CloudInstance } from './cloud-answer.ts';
import { applied } from './node-init.fixture.ts';
import { networkUnavailableTaint, type RouteRules } from './network-mark.ts';
import { isInitialised, type NodeFacts, pausedAnnotation, uninitializedTaint } from './node.ts';
import { type NodePlanInput, planNode } from './plan.ts';
import type { NodeSettings } from './settings.ts';

const runs = { numRuns: 700 };

/**
 * Few values for everything, so that requested, given, stored and excluded addresses are often
 * equal.
 */
const ip = fc.constantFrom('10.0.0.1', '10.0.0.2', '::ffff:10.0.0.1', 'fd00::1', 'FD00::1');
const entry: fc.Arbitrary<NodeAddress> = fc.record({
  type: fc.constantFrom('InternalIP', 'InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS'),
  address: fc.oneof({ weight: 4, arbitrary: ip }, fc.constantFrom('a', 'b')),
});
const addresses = fc.array(entry, { maxLength: 4 });
const request = fc.oneof(ip, fc.constantFrom('IPv4', 'IPv6', 'IPv6,IPv4', '10.0.0.1,IPv6', ''));
const zoneKeys = ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'] as const;
const labelKey = fc.constantFrom(...zoneKeys, 'rack', 'x.k8s.io/y');
const value = fc.constantFrom('v', 'w');
const labels = fc.dictionary(labelKey, value, { maxKeys: 3 });
const taint = fc.record({
  key: fc.constantFrom(uninitializedTaint, uninitializedTaint, 'other'),
  effect: fc.constantFrom('NoSchedule', 'NoExecute'),
});

const node: fc.Arbitrary<NodeFacts> = fc.record({
  name: fc.constant('node-0'),
  uid: fc.constant('m'),
  creationTimestampSeconds: fc.constant(2),
  labels,
  annotations: fc
    .record(
      {
        [operatorAnnotation]: request,
        [kubeletAnnotation]: request,
        [pausedAnnotation]: fc.constantFrom('false', 'false', 'true'),
      },
      { requiredKeys: [] },
    )
    .map((annotations): Record<string, string> => ({ ...annotations })),
  taints: fc.array(taint, { maxLength: 3 }),
  providerID: fc.constantFrom('', '', '', 'cloud://0', 'CLOUD://0', 'other://1'),
  addresses,
  podCIDRs: fc.constantFrom([], [], ['10.244.1.0/24'], ['fd00:10:244:1::/64'], ['10.9.0.0/24']),
  networkUnavailable: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    { status: 'True', reason: 'NoRouteCreated' },
    { status: 'False', reason: 'RouteCreated' },
    { status: 'True', reason: 'CalicoIsDown' },
  ),
});

const instance: fc.Arbitrary<CloudInstance> = fc.record({
  providerID: fc.constantFrom('cloud://0', 'cloud://0', 'cloud://0', 'other://1', ''),
  addresses,
  zone: fc.constantFrom('', 'v', 'w'),
  labels,
  podBlocks: fc.record({
    IPv4: fc.constantFrom([], [], ['10.244.1.0/24']),
    IPv6: fc.constant([]),
  }),
});
const asOfMs = fc.constantFrom(1, 2, 3);
const answer: fc.Arbitrary<CloudAnswer | null> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('found' as const), instance, asOfMs }) },
  fc.record({ kind: fc.constantFrom('absent' as const, 'notOurs' as const), asOfMs }),
  fc.record({ kind: fc.constant('unknown' as const), reason: fc.string(), asOfMs }),
  fc.constant(null),
);

const settings: fc.Arbitrary<NodeSettings> = fc.record({
  policies: fc.array(
    fc.record({
      name: fc.constant('p'),
      selector: fc.dictionary(labelKey, value, { maxKeys: 1 }).map((all) => ({ matchLabels: all })),
      request,
      overridesKubelet: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  exclusions: fc.array(
    ip.map((text) => ({ cidr: cidrOfAddress(parseAddress(text)!), reason: 'a VIP' })),
    { maxLength: 1 },
  ),
  gates: fc.record({ CloudNodeIPs: fc.constantFrom(true, true, false) }),
  refreshLabels: fc.boolean(),
});

const clusterCIDRs = ['10.244.0.0/16', 'fd00:10:244::/48'].map((text): Cidr => {
  const parsed = parseCidr(text);
  assert.ok(parsed.kind === 'cidr');
  return parsed.cidr;
});
const managedRoutes: fc.Arbitrary<RouteRules> = fc.record({
  clusterCIDRs: fc.constant(clusterCIDRs),
  families: fc.constantFrom(['IPv4', 'IPv6'] as const, ['IPv4'] as const),
  selector: fc.constantFrom(undefined, undefined, undefined, { matchLabels: { rack: 'v' } }),
  allocates: fc.constantFrom(true, true, false),
});
const routes = fc.oneof({ weight: 4, arbitrary: managedRoutes }, fc.constant(undefined));

const input: fc.Arbitrary<NodePlanInput> = fc.record({
  node,
  owns: fc.constant((providerID: string) => !providerID.startsWith('other://')),
  rivals: fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    fc.array(
      fc.record({
        name: fc.constant('node-1'),
        uid: fc.constantFrom('a', 'z'),
        creationTimestampSeconds: fc.constantFrom(1, 2, 3),
        isInitialised: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
  ),
  answer,
  isNotOurs: fc.boolean(),
  requestChangedAtMs: asOfMs,
  settings,
  routes,
});

/** The node before the first action and after each action. */
function prefixes(given: NodePlanInput): NodeFacts[] {
  const states = [given.node];
  for (const action of planNode(given).actions) states.push(applied(states.at(-1)!, action));
  return states;
}

function holds(law: (given: NodePlanInput) => void): void {
  fc.assert(fc.property(input, law), runs);
}

describe('every plan', () => {
  it('is complete: a second plan after it has no action (P5)', () => {
    holds((given) => {
      const again = planNode({ ...given, node: prefixes(given).at(-1)! });
      assert.deepEqual(again.actions, []);
      assert.deepEqual(again.outcome, planNode(given).outcome);
    });
  });

  it('has the same result if it is interrupted after any action and planned again (P7)', () => {
    holds((given) => {
      const states = prefixes(given);
      for (const state of states) {
        assert.deepEqual(prefixes({ ...given, node: state }).at(-1), states.at(-1));
      }
    });
  });

  it('never removes the taint before addresses and providerID are stored (P1)', () => {
    holds((given) => {
      if (isInitialised(given.node)) return;
      const states = prefixes(given);
      const last = states.at(-1)!;
      for (const state of states) {
        if (!isInitialised(state)) continue;
        assert.ok(given.owns(state.providerID) && state.providerID !== '');
        assert.notEqual(state.addresses.length, 0);
        assert.deepEqual(state.addresses, last.addresses);
      }
    });
  });

  it("writes only addresses of the cloud and the node's own Hostname, and no excluded one (P2)", () => {
    holds((given) => {
      for (const action of planNode(given).actions) {
        if (action.kind !== 'writeAddresses') continue;
        assert.ok(given.answer?.kind === 'found');
        const own = given.node.addresses.filter(({ type }) => type === 'Hostname');
        const known = [...given.answer.instance.addresses, ...own];
        for (const { type, address } of action.addresses) {
          assert.ok(known.some((one) => one.type === type && one.address === address));
          const read = parseAddress(address);
          for (const { cidr } of given.settings.exclusions) {
            assert.ok(read === undefined || !containsAddress(cidr, read));
          }
        }
      }
    });
  });

  it('takes nothing from a node because of an error, an absence or an empty answer (P3)', () => {
    holds((given) => {
      const isSilent =
        given.answer?.kind !== 'found' || given.answer.instance.addresses.length === 0;
      const last = prefixes(given).at(-1)!;
      if (isSilent) {
        assert.deepEqual(last.addresses, given.node.addresses);
        assert.deepEqual(last.taints, given.node.taints);
        assert.equal(last.providerID, given.node.providerID);
      }
      if (given.node.addresses.length > 0) assert.notEqual(last.addresses.length, 0);
    });
  });

  it('refuses for a missing address only on an answer younger than the request (P3)', () => {
    const wanting = ['NoCloudAddresses', 'NoAddressOfFamily', 'AddressNotFound'];
    holds((given) => {
      const { outcome } = planNode(given);
      if (outcome.kind !== 'refused' || !wanting.includes(outcome.refusal.code)) return;
      assert.ok(given.answer?.kind === 'found');
      assert.ok(given.answer.asOfMs >= given.requestChangedAtMs);
    });
  });

  it('changes no providerID, and removes no label and no taint except the uninitialized one', () => {
    holds((given) => {
      const last = prefixes(given).at(-1)!;
      if (given.node.providerID !== '') assert.equal(last.providerID, given.node.providerID);
      for (const key of Object.keys(given.node.labels)) assert.ok(Object.hasOwn(last.labels, key));
      const others = given.node.taints.filter(({ key }) => key !== uninitializedTaint);
      const kept = last.taints.filter(({ key }) => key !== uninitializedTaint);
      assert.deepEqual(kept.slice(0, others.length), others);
      for (const { key } of kept.slice(others.length))
        assert.equal(key, networkUnavailableTaint.key);
    });
  });

  it('does nothing to nodes that are paused, of another cloud or reported as not ours', () => {
    holds((given) => {
      const isPaused = given.node.annotations[pausedAnnotation] === 'true';
      const isForeign = given.node.providerID.startsWith('other://');
      const isOthers = given.answer?.kind === 'notOurs';
      const { actions, outcome } = planNode(given);
      if (isPaused || isForeign || isOthers) assert.deepEqual(actions, []);
      if (isOthers && !isPaused && !isForeign) assert.equal(outcome.kind, 'notOurs');
    });
  });

  it('has an explanation that agrees with its actions and outcome', () => {
    holds((given) => {
      const { actions, explanation, outcome, stack } = planNode(given);
      const written = actions.find(({ kind }) => kind === 'writeAddresses');
      if (written?.kind === 'writeAddresses') {
        assert.deepEqual(explanation?.addresses, written.addresses);
      }
      if (explanation === null) return;
      assert.equal(stack, stackOf(readAddresses(explanation.addresses ?? [])));
      assert.deepEqual(explanation.error, outcome.kind === 'refused' ? outcome.refusal : null);
    });
  });

  it('often has actions and refusals, so that the properties above have cases', () => {
    const ends = new Map<string, number>();
    for (const given of fc.sample(input, { numRuns: 1_000, seed: 1 })) {
      const { actions, outcome } = planNode(given);
      const end = outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
      for (const key of [...actions.map(({ kind }) => kind), end]) {
        ends.set(key, (ends.get(key) ?? 0) + 1);
      }
    }
    for (const key of [
      'writeAddresses',
      'initialise',
      'writeLabels',
      'settled',
      'AddressNotFound',
    ]) {
      assert.ok((ends.get(key) ?? 0) > 20, `${key}: ${ends.get(key)}`);
    }
  });
});
