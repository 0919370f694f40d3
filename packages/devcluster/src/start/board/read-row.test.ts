import assert from 'node:assert/strict';
import { kubeletAnnotation, operatorAnnotation } from '@tandem/core/node-address';
import { pausedAnnotation, uninitializedTaint } from '@tandem/core/node-init';
import { readRow } from './read-row.ts';
import type { Row } from './row.ts';
import { noProblems, withEvent } from './node-problems.ts';

const cloud = ['10.0.0.1', 'fd00::1'].map((address) => ({ type: 'InternalIP', address }));

interface NodeState {
  readonly annotations?: Record<string, string>;
  readonly isTainted?: boolean;
  readonly addresses?: readonly string[];
  readonly ready?: 'True' | 'False';
  /** In the order in which the manager wrote them. */
  readonly events?: readonly (readonly [reason: string, message: string])[];
  readonly hasInstance?: boolean;
  readonly podCIDRs?: readonly string[];
  /** Pod CIDRs that another node has as well. */
  readonly shared?: readonly string[];
}

function rowOf({
  annotations = {},
  isTainted = false,
  addresses = [],
  ready = 'True',
  events = [],
  hasInstance = true,
  podCIDRs = [],
  shared = [],
}: NodeState): Row {
  const node = {
    metadata: { name: 'node-1', uid: 'u', annotations },
    spec: {
      podCIDRs,
      taints: isTainted ? [{ key: uninitializedTaint, effect: 'NoSchedule' }] : [],
    },
    status: {
      addresses: [
        ...addresses.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: 'node-1' },
      ],
      conditions: [{ type: 'Ready', status: ready }],
    },
  };
  const problems = events
    .map(([reason, message]) => ({ reason, message }))
    .reduce(withEvent, noProblems);
  return readRow({
    node,
    problems,
    nodeIP: null,
    cloud: hasInstance ? cloud : undefined,
    isShared: (podCIDR) => shared.includes(podCIDR),
  });
}

const ipv6 = { [kubeletAnnotation]: 'IPv6' };
const refused = ['NoAddressOfFamily', 'Request "IPv6" needs an IPv6 address'] as const;
const podCIDRs = ['10.64.0.0/24', 'fd64::/64'];
const unavailable = ['CIDRNotAvailable', 'no free block'] as const;
const outside = ['PodCIDROutsidePools', 'in no pool'] as const;
const duplicate = ['DuplicatePodCIDR', 'overlaps'] as const;
const other = [
  'AddressNotFound',
  'Requested address 10.0.0.9 is not an address of the instance',
] as const;

describe('the row of a node', () => {
  const cases: { name: string; given: NodeState; want: Partial<Row> }[] = [
    {
      name: 'waits while it is tainted and not refused, whatever its kubelet reports',
      given: { isTainted: true, addresses: ['10.0.0.1'] },
      want: { state: 'waiting', got: [], stack: null, code: null },
    },
    {
      name: 'is refused when an event says so',
      given: { isTainted: true, annotations: ipv6, events: [refused] },
      want: {
        state: 'refused',
        code: 'NoAddressOfFamily',
        why: 'Request "IPv6" needs an IPv6 address',
      },
    },
    {
      name: 'shows the last of several refusals',
      given: { isTainted: true, events: [other, refused] },
      want: { code: 'NoAddressOfFamily' },
    },
    {
      name: 'is ready with the addresses that follow from its request',
      given: { annotations: ipv6, addresses: ['fd00::1'] },
      want: { state: 'ready', got: [cloud[1]!], stack: 'SS IPv6', code: null },
    },
    {
      name: 'is ready although it was refused before',
      given: { addresses: ['10.0.0.1', 'fd00::1'], events: [refused, ['Synced', 'ok']] },
      want: { state: 'ready', stack: 'DS IPv4-primary', code: null },
    },
    {
      name: 'waits when its addresses do not match its request',
      given: { annotations: ipv6, addresses: ['10.0.0.1', 'fd00::1'] },
      want: { state: 'waiting', stack: 'DS IPv4-primary' },
    },
    {
      name: 'waits when only an earlier request was refused',
      given: {
        annotations: { [operatorAnnotation]: '10.0.0.9' },
        addresses: ['10.0.0.1'],
        events: [refused],
      },
      want: { state: 'waiting' },
    },
    {
      name: 'keeps its addresses when a new request is refused',
      given: {
        annotations: { [operatorAnnotation]: '10.0.0.9' },
        addresses: ['10.0.0.1'],
        events: [other],
      },
      want: { state: 'refused', code: 'AddressNotFound', stack: 'SS IPv4' },
    },
    {
      name: 'shows that its operator and its kubelet disagree',
      given: {
        annotations: { ...ipv6, [operatorAnnotation]: 'IPv4' },
        addresses: ['10.0.0.1'],
        events: [['NodeIPRequestsDiffer', 'they differ']],
      },
      want: { state: 'ready', code: 'NodeIPRequestsDiffer', why: 'they differ' },
    },
    {
      name: 'shows no disagreement once one of the two has no request',
      given: {
        annotations: { [operatorAnnotation]: 'IPv4' },
        addresses: ['10.0.0.1'],
        events: [['NodeIPRequestsDiffer', 'they differ']],
      },
      want: { state: 'ready', code: null },
    },
    {
      name: 'is paused in every other state',
      given: { isTainted: true, annotations: { [pausedAnnotation]: 'true' }, events: [refused] },
      want: { state: 'paused', code: null },
    },
    {
      name: 'shows the pod CIDRs of a tainted node',
      given: { isTainted: true, podCIDRs },
      want: { podCIDRs, podCIDRProblem: null },
    },
    {
      name: 'shows why the node has no pod CIDRs',
      given: { events: [unavailable] },
      want: {
        podCIDRs: [],
        podCIDRProblem: { code: 'CIDRNotAvailable', message: 'no free block' },
      },
    },
    {
      name: 'shows no such reason once the node has pod CIDRs',
      given: { podCIDRs, events: [unavailable] },
      want: { podCIDRs, podCIDRProblem: null },
    },
    {
      name: 'shows the worst of several problems of pod CIDRs',
      given: { podCIDRs, shared: ['fd64::/64'], events: [duplicate, outside] },
      want: { podCIDRProblem: { code: 'DuplicatePodCIDR', message: 'overlaps' } },
    },
    {
      name: 'shows no shared pod CIDR once the other node is gone',
      given: { podCIDRs, events: [duplicate, outside] },
      want: { podCIDRProblem: { code: 'PodCIDROutsidePools', message: 'in no pool' } },
    },
    {
      name: 'is down when its kubelet reports so',
      given: { addresses: ['10.0.0.1', 'fd00::1'], ready: 'False' },
      want: { state: 'down' },
    },
    {
      name: 'is refused without an instance when an event says so',
      given: { hasInstance: false, events: [['ForeignProviderID', 'not ours']] },
      want: { state: 'refused', code: 'ForeignProviderID' },
    },
    {
      name: 'is ready when a user created the node without a taint',
      given: { hasInstance: false, addresses: ['192.0.2.1'] },
      want: { state: 'ready', stack: 'SS IPv4', why: '' },
    },
  ];
  for (const { name, given, want } of cases) {
    it(name, () => {
      assert.partialDeepStrictEqual(rowOf(given), want);
    });
  }

  it('shows the request and its source', () => {
    const annotations = { ...ipv6, [operatorAnnotation]: 'IPv4' };
    assert.deepEqual(rowOf({ annotations }).asked, { value: 'IPv4', source: operatorAnnotation });
  });
});
