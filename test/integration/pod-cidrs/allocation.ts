/**
 * Shared by the scenarios of pod CIDRs: the flags of a manager that only allocates, the podCIDRs of nodes, and the
 * check of P4, which uses Node's own block list to find overlaps and not the code under test.
 */
import assert from 'node:assert/strict';
import { BlockList, type IPVersion } from 'node:net';
import { Limiter } from '@tandem/runtime';
import type {
  CuttingProxy,
  Exchange,
  Fate,
  Interference,
} from '../../support/cutting-proxy/index.ts';
import type { Scenario } from '../manager/scenario.ts';
import type { SeenNode } from '../manager/seen-node.ts';

/** Flags with which only the allocator runs: nodes keep their taint, and get no other writes. */
export function allocating(clusterCIDR: string, ...more: readonly string[]): string[] {
  return [
    '--controllers=node-ipam-controller',
    '--allocate-node-cidrs',
    `--cluster-cidr=${clusterCIDR}`,
    ...more,
  ];
}

/** `node-0`, `node-1` and so on. */
export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** Registers many nodes, a few at a time, without waiting until the mirror has them. */
export async function registerAll(scenario: Scenario, names: readonly string[]): Promise<void> {
  const few = new Limiter({ concurrency: 16 });
  await Promise.all(names.map((name) => few.run(() => scenario.kubelet({ name }).register())));
}

/** Registers a node with podCIDRs. */
export async function registerWith(
  scenario: Scenario,
  name: string,
  podCIDRs: readonly string[],
): Promise<void> {
  await scenario.register({ name });
  await scenario.patchNode(name, { spec: { podCIDR: podCIDRs[0], podCIDRs } });
}

export function podCIDRsOf({ spec }: SeenNode): readonly string[] {
  return spec.podCIDRs ?? [];
}

/** Waits until all of these nodes have podCIDRs. */
export async function untilAllocated(scenario: Scenario, names: readonly string[]): Promise<void> {
  await scenario.until(() => {
    const waiting = names.filter((name) => podCIDRsOf(scenario.node(name)).length === 0);
    const some = waiting.slice(0, 10).join(', ');
    assert.ok(waiting.length === 0, `${waiting.length} have no podCIDRs: ${some}`);
    return true;
  });
}

/** P4: no two nodes of the cluster have overlapping podCIDRs. */
export function assertNoneShared(scenario: Scenario): void {
  assert.deepEqual(overlapsAmong([...scenario.nodes.objects.values()]), []);
}

/** The podCIDRs in the writes to a node of this name, also in failed ones. */
export function allocationsOf(writes: readonly Exchange[], name: string): string[][] {
  return writes
    .filter(({ path }) => path === `/api/v1/nodes/${name}`)
    .flatMap(({ body }) => podCIDRsIn(body));
}

export function isAllocation({ kind, path, body }: Exchange): boolean {
  return kind === 'write' && path.startsWith('/api/v1/nodes/') && podCIDRsIn(body).length > 0;
}

const timedOut = { status: 504, reason: 'Timeout', message: 'the server gave up' };

interface Loss {
  readonly when: 'before' | 'after';
  /** The fate of the first write to a node. */
  readonly fate: Fate;
}

/** The ways to lose a write, before the server gets it or after. */
export const losses: Readonly<Record<LossName, Loss>> = {
  'broken-before': { when: 'before', fate: 'drop' },
  'broken-after': { when: 'after', fate: 'drop' },
  'hanging-before': { when: 'before', fate: 'hang' },
  'hanging-after': { when: 'after', fate: 'hang' },
  'timed-out-before': { when: 'before', fate: timedOut },
  'timed-out-after': { when: 'after', fate: timedOut },
};

type LossName = `${'broken' | 'hanging' | 'timed-out'}-${'before' | 'after'}`;

/** The manager sends a write three times in a row, and reads back each time, before its outcome counts as unknown. */
const lostWrites = 3;

/** Loses the first writes to a node, so that the manager has to return to it later. */
export function losing(name: string, { when, fate }: Loss): Interference<Exchange, Fate> {
  let writes = 0;
  return {
    on: (exchange) => isAllocation(exchange) && exchange.path === `/api/v1/nodes/${name}`,
    when,
    act(): Fate | 'pass' {
      writes += 1;
      if (writes === 1) return fate;
      return writes <= lostWrites ? 'drop' : 'pass';
    },
  };
}

/**
 * I7: when a manager gives a node a block, no route of managers leads to the block; `routed` returns their current
 * destinations. The check runs when the write arrives, before it is stored. The result collects the violations.
 */
export function watchReuse(proxy: CuttingProxy, routed: () => readonly string[]): string[] {
  const broken: string[] = [];
  proxy.interfere({
    on: isAllocation,
    when: 'before',
    act({ path, body }) {
      const stale = podCIDRsIn(body)
        .flat()
        .filter((block) => routed().includes(block));
      broken.push(...stale.map((block) => `${path} got ${block} in spite of a route`));
      return 'pass';
    },
  });
  return broken;
}

function podCIDRsIn(body: string): string[][] {
  const patch: unknown = JSON.parse(body);
  const operations: { op: string; path: string; value: string[] }[] = Array.isArray(patch)
    ? patch
    : [];
  return operations
    .filter(({ op, path }) => op === 'add' && path === '/spec/podCIDRs')
    .map(({ value }) => value);
}

/** Describes each pair of nodes that share an address. */
function overlapsAmong(nodes: readonly SeenNode[]): string[] {
  const blocks = nodes.flatMap((node) =>
    podCIDRsOf(node).map((text) => ({ ...blockOf(text), node: node.metadata.name })),
  );
  return blocks.flatMap((one, index) =>
    blocks
      .slice(index + 1)
      .filter((other) => one.node !== other.node && (contains(one, other) || contains(other, one)))
      .map((other) => `${one.node} ${one.text} overlaps ${other.node} ${other.text}`),
  );
}

interface Block {
  readonly text: string;
  readonly network: string;
  readonly length: number;
  readonly family: IPVersion;
  readonly addresses: BlockList;
}

function blockOf(text: string): Block {
  const [network = '', length = ''] = text.split('/');
  const family = network.includes(':') ? 'ipv6' : 'ipv4';
  const addresses = new BlockList();
  addresses.addSubnet(network, Number(length), family);
  return { text, network, length: Number(length), family, addresses };
}

function contains(outer: Block, inner: Block): boolean {
  return (
    outer.family === inner.family &&
    outer.length <= inner.length &&
    outer.addresses.check(inner.network, inner.family)
  );
}
