/** Tests that `audit` finds each planted breach, and that it does not report healthy states as breaches. */
import assert from 'node:assert/strict';
import { uninitializedTaint } from '@tandem/core/node-init';
import type { NodeView, RouteView } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import { type Breach, breaches } from './breach.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkEvents, needsEvents } from './check-events.ts';
import { checkNodes } from './check-nodes.ts';
import { checkPodCIDRs } from './check-pod-cidrs.ts';
import { checkRoutes } from './check-routes.ts';

const taints = [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' }];
let count = 0;

function aNode(over: Partial<NodeProjection> = {}): NodeProjection {
  count += 1;
  return {
    name: `node-${count}`,
    uid: `uid-${count}`,
    resourceVersion: '1',
    creationTimestampSeconds: 1_000,
    deletionTimestampSeconds: undefined,
    labels: {},
    annotations: {},
    providerID: `cloud://${count}`,
    podCIDRs: [`10.244.${count}.0/24`, `fd00:10:244:${count}::/64`],
    taints: [],
    unschedulable: false,
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    ready: undefined,
    networkUnavailable: { status: 'False', reason: 'RouteCreated' },
    bootID: '',
    systemUUID: '',
    ...over,
  };
}

function aView({ name, uid }: NodeProjection, over: Partial<NodeView> = {}): NodeView {
  return {
    name,
    uid,
    resourceVersion: '1',
    state: 'initialised',
    request: null,
    requestChanged: '2026-01-01T00:00:00Z',
    cloud: {
      kind: 'found',
      asOf: '2026-01-01T00:00:00Z',
      instance: {
        providerID: 'cloud://1',
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        labels: {},
        podBlocks: { IPv4: [], IPv6: [] },
        state: 'running',
      },
    },
    ownProviderIDs: [],
    isNotOurs: false,
    rivals: [],
    planned: null,
    standing: null,
    ...over,
  };
}

function codes(found: readonly Breach[]): string[] {
  return found.map(({ code }) => code);
}

describe('the audit of nodes', () => {
  const cases = [
    { name: 'healthy nodes', nodes: [aNode(), aNode()], want: [] },
    {
      name: 'a node without an address',
      nodes: [aNode({ addresses: [] })],
      want: ['TaintGoneWithoutAddresses'],
    },
    {
      name: 'a node without a providerID',
      nodes: [aNode({ providerID: '' })],
      want: ['TaintGoneWithoutProviderID'],
    },
    {
      name: 'a new node with its taint',
      nodes: [aNode({ providerID: '', addresses: [], taints })],
      want: [],
    },
    {
      name: 'two nodes with the same providerID',
      nodes: [aNode({ providerID: 'x' }), aNode({ providerID: 'x' })],
      want: ['ProviderIDTwice'],
    },
    {
      name: 'a second node with the same providerID that still has its taint',
      nodes: [aNode({ providerID: 'y' }), aNode({ providerID: 'y', taints })],
      want: [],
    },
    {
      name: 'overlapping podCIDRs of two sizes',
      nodes: [aNode({ podCIDRs: ['10.9.0.0/16'] }), aNode({ podCIDRs: ['10.9.3.0/24'] })],
      want: ['DuplicatePodCIDR', 'DuplicatePodCIDR'],
    },
  ];
  for (const { name, nodes, want } of cases) {
    it(`reports ${want.join(' and ') || 'no breach'} for ${name}`, () => {
      assert.deepEqual(codes(checkNodes(nodes, undefined)), want);
    });
  }
});

describe('the audit of two spellings of one providerID', () => {
  const spelt = ['static:///x', 'static://x'].map((providerID) => aNode({ providerID }));
  const claimants = spelt.map(({ name, uid }) => ({
    name,
    uid,
    creationTimestampSeconds: 1_000,
    isInitialised: true,
  }));
  const views = new Map(
    spelt.map((node, at) => [
      node.uid,
      aView(node, { rivals: claimants.filter((_, i) => i !== at) }),
    ]),
  );

  it('is reported if the manager lists the nodes as rivals', () => {
    const [found, ...others] = checkNodes(spelt, views);
    assert.equal(found?.code, 'ProviderIDTwice');
    assert.match(found.message, /with providerID "static:\/\/\/x" or "static:\/\/x"\.$/);
    assert.deepEqual(others, []);
  });

  it('reports nothing while one of the nodes has its taint', () => {
    const [first, second] = spelt;
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(checkNodes([first, { ...second, taints }], views), []);
  });
});

describe('the audit of addresses', () => {
  const settings = {
    settings: {
      policies: [],
      exclusions: [],
      gates: { CloudNodeIPs: true },
      refreshLabels: false,
    },
    routes: undefined,
  };
  const check = (node: NodeProjection, view: NodeView) =>
    codes(checkAddresses([node], new Map([[node.uid, view]]), settings));
  const unlisted = { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] };

  it('reports an address that the cloud does not list', () => {
    const node = aNode(unlisted);
    assert.deepEqual(check(node, aView(node)), ['AddressNotInCloud']);
  });

  it('accepts another spelling and a host name, and skips unknown answers and nodes that are not managed', () => {
    const spelt = aNode({
      addresses: [
        { type: 'InternalIP', address: '::ffff:10.0.0.1' },
        { type: 'Hostname', address: 'somebody' },
      ],
    });
    assert.deepEqual(check(spelt, aView(spelt)), []);
    const node = aNode(unlisted);
    const cloud = { kind: 'unknown', asOf: '2026-01-01T00:00:00Z', reason: 'no answer' } as const;
    assert.deepEqual(check(node, aView(node, { cloud })), []);
    assert.deepEqual(check(node, aView(node, { state: 'not ours' })), []);
    const paused = aNode({ ...unlisted, annotations: { 'tandem.dev/paused': 'true' } });
    assert.deepEqual(check(paused, aView(paused)), []);
  });
});

describe('the audit of podCIDRs', () => {
  const range = { nodeMaskSize: 24, capacity: 1, bound: 0, inDoubt: 0, excluded: 0, free: 1 };
  const summary = {
    allocator: 'RangeAllocator',
    isAllocating: true,
    pools: [
      {
        name: 'pool',
        selector: null,
        ranges: [
          { ...range, cidr: '10.244.0.0/16' },
          { ...range, cidr: 'fd00:10:244::/48', nodeMaskSize: 64 },
        ],
      },
    ],
    serviceRanges: [],
    waiting: 0,
  } as const;

  it('reports podCIDRs outside the pools, and nodes with only one family of their pool', () => {
    const healthy = aNode();
    const none = aNode({ podCIDRs: [] });
    const half = aNode({ podCIDRs: ['10.244.9.0/24'] });
    const outside = aNode({ podCIDRs: ['192.168.0.0/24', 'fd00:10:244:8::/64'] });
    const turned = aNode({ podCIDRs: ['fd00:10:244:7::/64', '10.244.7.0/24'] });
    const found = checkPodCIDRs([healthy, none, half, outside, turned], { summary, items: [] });
    assert.deepEqual(
      found.map(({ code, object }) => `${code} ${object}`),
      [`PodCIDRFamilyMissing ${half.name}`, `PodCIDROutsidePools ${outside.name}`],
    );
  });

  it('reports what the manager says when the cloud assigns the blocks', () => {
    const problems = ['PodCIDRFamilyOrder', 'PodCIDRFamilyMissing'].map((code) => ({
      code,
      message: '',
    }));
    const holder = {
      name: 'n',
      uid: 'u',
      pool: null,
      podCIDRs: [],
      state: 'bound',
      problems,
    } as const;
    const cloud = { ...summary, allocator: 'CloudAllocator', pools: [] } as const;
    const found = checkPodCIDRs([aNode()], { summary: cloud, items: [holder] });
    assert.deepEqual(codes(found), ['PodCIDRFamilyMissing']);
    assert.equal(found[0]?.remedy, 'Do what the message says.');
  });
});

describe('the audit of routes', () => {
  function aRoute(over: Partial<RouteView>): RouteView {
    return {
      table: 'main',
      destination: '10.244.1.0/24',
      node: null,
      state: 'present',
      reason: '',
      target: null,
      ours: true,
      planned: null,
      ...over,
    };
  }

  it('reports our routes to no node, and no foreign ones', () => {
    const routes = [aRoute({ state: 'unwanted' }), aRoute({ state: 'unwanted', ours: false })];
    assert.deepEqual(codes(checkRoutes([], routes)), ['RouteToNobody']);
  });

  it('reports no route inside the podCIDR of a node, even of a paused or terminating one', () => {
    const node = aNode({ podCIDRs: ['10.244.0.0/23'] });
    const destinations = ['10.244.1.0/24', '10.244.0.0/16', '10.244.2.0/24', 'fd00:10:244:1::/64'];
    const routes = destinations.map((destination) => aRoute({ destination, state: 'unwanted' }));
    const doubled = aRoute({ destination: '10.244.0.0/24', state: 'unwanted', planned: 'delete' });
    const found = checkRoutes([node], [...routes, doubled]).map(({ object }) => object);
    assert.deepEqual(found, ['10.244.2.0/24', 'fd00:10:244:1::/64', '10.244.0.0/24']);
  });

  it('reports a missing route of a node whose condition says RouteCreated', () => {
    const node = aNode();
    const marked = aNode({ networkUnavailable: { status: 'True', reason: 'NoRouteCreated' } });
    const plugins = aNode({ networkUnavailable: { status: 'False', reason: 'CiliumIsUp' } });
    const missing = [node, marked, plugins].map(({ name }) =>
      aRoute({ node: name, state: 'missing' }),
    );
    const found = checkRoutes([node, marked, plugins], missing);
    assert.deepEqual(
      found.map(({ code, object }) => [code, object]),
      [['NetworkWithoutRoute', node.name]],
    );
  });

  it('reports no route whose target the cloud does not name (P3)', () => {
    const node = aNode();
    assert.deepEqual(checkRoutes([node], [aRoute({ node: node.name, state: 'unknown' })]), []);
  });
});

describe('the audit of events', () => {
  const nowMs = Date.parse('2026-01-01T01:00:00Z');
  const standing = {
    reason: 'AddressNotFound',
    message: '',
    isRefusal: true,
    since: '2026-01-01T00:00:00Z',
  };

  it('reports a refusal without an event after a minute', () => {
    const node = aNode();
    const views = new Map([[node.uid, aView(node, { state: 'refused', standing })]]);
    const facts = { views, nowMs };
    assert.equal(needsEvents([node], facts), true);
    assert.deepEqual(codes(checkEvents([node], { ...facts, warnings: [] })), ['RefusalNotSeen']);
    const warnings = [{ uid: node.uid, reason: 'AddressNotFound' }];
    assert.deepEqual(codes(checkEvents([node], { ...facts, warnings })), []);
    const young = { ...standing, since: '2026-01-01T00:59:30Z' };
    const soon = new Map([[node.uid, aView(node, { standing: young })]]);
    assert.deepEqual(codes(checkEvents([node], { views: soon, nowMs, warnings: [] })), []);
  });

  it('reports a node that has waited for more than five minutes without an event', () => {
    const old = aNode({ taints, creationTimestampSeconds: nowMs / 1_000 - 400 });
    const young = aNode({ taints, creationTimestampSeconds: nowMs / 1_000 - 200 });
    const facts = { views: undefined, nowMs, warnings: [] };
    const found = checkEvents([old, young], facts);
    assert.deepEqual(
      found.map(({ code, object }) => [code, object]),
      [['WaitingWithoutReason', old.name]],
    );
    assert.equal(needsEvents([young], facts), false);
    const about = (reason: string) => ({ ...facts, warnings: [{ uid: old.uid, reason }] });
    assert.deepEqual(codes(checkEvents([old], about('InstanceNotFound'))), []);
    assert.deepEqual(codes(checkEvents([old], about('CIDRNotAvailable'))), [
      'WaitingWithoutReason',
    ]);
  });
});

describe('every breach', () => {
  it('names a promise and a remedy', () => {
    for (const { promise, remedy } of Object.values(breaches)) {
      assert.match(promise, /^[PT]\d$/);
      assert.match(remedy, /\.$/);
    }
  });
});
