/** Tests what `status` and `explain` show about a node when the manager does not answer. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseCidr } from '@tandem/core/ip';
import {
  carryOverHostnames,
  kubeletAnnotation,
  operatorAnnotation,
  readAddresses,
  resolveAddresses,
  withoutDuplicates,
} from '@tandem/core/node-address';
import { pausedAnnotation, uninitializedTaint } from '@tandem/core/node-init';
import { aNode } from '../a-node.fixture.ts';
import { answerFor } from '../explain/explain-node.ts';
import { judgeObjects, needsWarnings } from './judge-objects.ts';

const taints = [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' }];
const created = '1970-01-01T00:00:00.000Z';

function internal(...texts: readonly string[]) {
  return texts.map((address) => ({ type: 'InternalIP', address }));
}

function nodeWith(over: {
  readonly asks?: string;
  readonly by?: string;
  readonly has?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: typeof taints;
}) {
  const { asks, by = operatorAnnotation, has = ['10.0.0.1'], annotations = {} } = over;
  return {
    ...aNode({ addresses: internal(...has), taints: over.taints ?? [] }),
    annotations: { ...annotations, ...(asks === undefined ? {} : { [by]: asks }) },
  };
}

const v4 = ['10.0.0.1'];
const both = ['10.0.0.1', 'fd00::1'];

describe('a node whose manager does not answer', () => {
  const cases = [
    { name: 'no request', given: {}, want: ['initialised', null] },
    {
      name: 'a satisfied request',
      given: { asks: 'IPv4', has: v4 },
      want: ['initialised', null],
    },
    {
      name: 'a satisfied pair in another spelling',
      given: { asks: 'FD00:0::1,10.0.0.1', has: ['fd00::1', '10.0.0.1'] },
      want: ['initialised', null],
    },
    {
      name: 'a request for a family that the node lacks',
      given: { asks: 'IPv6,IPv4', has: v4 },
      want: ['initialised', 'RequestNotMet'],
    },
    {
      name: 'a request for both families in another order',
      given: { asks: 'IPv6,IPv4', has: both },
      want: ['initialised', 'RequestNotMet'],
    },
    {
      name: 'a request for one of its two families',
      given: { asks: 'IPv4', has: both },
      want: ['initialised', 'RequestNotMet'],
    },
    {
      name: 'a kubelet’s request for an address that the node lacks',
      given: { asks: '10.0.0.9', by: kubeletAnnotation, has: v4 },
      want: ['initialised', 'RequestNotMet'],
    },
    {
      name: 'a request and no address',
      given: { asks: 'IPv4', has: [] },
      want: ['initialised', 'RequestNotMet'],
    },
    {
      name: 'an invalid request',
      given: { asks: 'IPv5', has: v4 },
      want: ['refused', 'InvalidSyntax'],
    },
    {
      name: 'the taint and an invalid request',
      given: { asks: 'IPv4,IPv4', taints },
      want: ['refused', 'SameFamilyPair'],
    },
    {
      name: 'the taint, and the address that its kubelet set',
      given: { asks: 'IPv6', has: v4, taints },
      want: ['waiting', null],
    },
    {
      name: 'a pause and any request',
      given: { asks: 'IPv5', has: v4, annotations: { [pausedAnnotation]: 'true' } },
      want: ['paused', null],
    },
  ];
  for (const { name, given, want } of cases) {
    it(`is ${want.filter((word) => word !== null).join(', ')} with ${name}, in explain too`, () => {
      const node = nodeWith(given);
      const { state, reason } = judgeObjects(node, []);
      assert.deepEqual([state, reason], want);
      const manager = { via: 'a test', reached: false, problem: 'it was not asked' };
      const told = { kind: 'unreached', problem: manager.problem } as const;
      const explained = answerFor(node, { told, manager, warnings: [] });
      assert.equal(explained.state, state);
      assert.equal(explained.steps.length, reason === null ? 2 : 3);
    });
  }

  it('has a message with the request, its source and the addresses of the node', () => {
    const node = nodeWith({ asks: 'IPv6,IPv4', has: v4 });
    assert.equal(
      judgeObjects(node, []).message,
      'The node asks for "IPv6,IPv4" by tandem.dev/node-ip and has 10.0.0.1.',
    );
  });

  it('has waited since its creation, and it is unknown since when a request is not satisfied', () => {
    assert.equal(judgeObjects(nodeWith({ taints }), []).since, created);
    assert.equal(judgeObjects(nodeWith({ asks: 'IPv6' }), []).since, null);
  });
});

describe('the events of a node whose manager does not answer', () => {
  const told = {
    uid: 'uid-1',
    reason: 'NoAddressOfFamily',
    message: 'The request needs IPv6.',
    since: '2026-01-01T00:00:00Z',
    last: '2026-01-01T01:00:00Z',
  };
  const unmet = nodeWith({ asks: 'IPv6', has: v4 });

  it('explain why a request is not satisfied, and since when', () => {
    const { uid: _, last: __, ...words } = told;
    assert.deepEqual(judgeObjects(unmet, [told]), { state: 'refused', ...words });
  });

  it('explain why a node waits, by the latest event', () => {
    const later = { ...told, reason: 'InstanceNotFound', last: '2026-01-01T02:00:00Z' };
    const waiting = nodeWith({ taints });
    assert.equal(judgeObjects(waiting, [told, later]).reason, 'InstanceNotFound');
    assert.equal(judgeObjects(waiting, [later, told]).reason, 'InstanceNotFound');
    const foreign = { ...later, reason: 'ForeignProviderID' };
    assert.equal(judgeObjects(waiting, [foreign]).state, 'not ours');
  });

  it('are ignored once the request is satisfied, or if they have another subject', () => {
    assert.equal(judgeObjects(nodeWith({ asks: 'IPv4' }), [told]).state, 'initialised');
    const other = { ...told, reason: 'FailedToCreateRoute' };
    assert.equal(judgeObjects(unmet, [other]).reason, 'RequestNotMet');
  });

  it('are read only for nodes that wait or whose request is not satisfied', () => {
    const annotations = { [pausedAnnotation]: 'true' };
    const quiet = [nodeWith({}), nodeWith({ asks: 'IPv4' }), nodeWith({ taints, annotations })];
    assert.deepEqual(quiet.map(needsWarnings), [false, false, false]);
    assert.deepEqual([unmet, nodeWith({ taints })].map(needsWarnings), [true, true]);
  });
});

describe('addresses that a manager resolved', () => {
  const address = fc.constantFrom('10.0.0.1', '10.0.0.2', '::ffff:10.0.0.1', 'fd00::1', 'fd00::2');
  const type = fc.constantFrom('InternalIP', 'InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS');
  const list = fc.array(
    fc.record({ type, address: fc.oneof(address, fc.constantFrom('node-0', 'fe80::1')) }),
    { maxLength: 6 },
  );
  const token = fc.oneof(address, fc.constantFrom('IPv4', 'IPv6'));
  const request = fc.oneof(
    token,
    fc.tuple(token, token).map((pair) => pair.join(',')),
  );
  const excluded = parseCidr('10.0.0.2/32');
  assert.ok(excluded.kind === 'cidr');
  const exclusions = [{ cidr: excluded.cidr, reason: 'a VIP' }];

  it('satisfy their request, whatever the cloud lists, the exclusions and the host name of the kubelet', () => {
    let resolved = 0;
    const property = fc.property(list, request, (cloud, asks) => {
      const gates = { CloudNodeIPs: true };
      const given = { cloud: readAddresses(cloud), request: asks, exclusions, gates };
      const answer = resolveAddresses(given);
      if (answer.kind === 'refused') return;
      resolved++;
      const written = carryOverHostnames({
        resolved: withoutDuplicates(answer.addresses),
        cloud,
        current: [{ type: 'Hostname', address: '10.0.0.1' }],
        exclusions,
      });
      const node = { ...nodeWith({ asks }), addresses: written };
      assert.deepEqual(judgeObjects(node, []).reason, null);
    });
    fc.assert(property, { numRuns: 2_000 });
    assert.ok(resolved > 200, `only ${resolved} requests were resolved`);
  });
});
