/**
 * Random cases of nodes and route tables. They are small, so that podCIDRs and routes often match,
 * and consist of texts, so that one case can be built in several spellings.
 */
import * as fc from 'fast-check';
import { type Cidr, formatCidr } from '../ip/index.ts';
import type { ListedRoute, ListedTable, ListedTarget } from './listing.ts';
import type { RoutedNode } from './node.ts';
import type { RoutePlanInput } from './plan.ts';
import { address, aNode, cidr, type TargetKind } from './routes.fixture.ts';

export interface RoutingCase {
  readonly nodes: readonly NodeSpec[];
  readonly clusterCIDRs: readonly string[];
  readonly families: RoutePlanInput['families'];
  readonly tables: readonly TableSpec[];
  readonly targets: TargetKind;
}

interface NodeSpec {
  readonly number: number;
  readonly podCIDRs: readonly string[];
  readonly podBlocks: readonly string[];
  readonly lacks: 'nothing' | 'instance' | 'IPv4' | 'IPv6';
  readonly bar: 'none' | 'isOurs' | 'holder' | 'isSelected' | 'isPaused' | 'isDeleting';
}

interface TableSpec {
  readonly id: string;
  readonly capacity: ListedTable['capacity'];
  readonly routes: readonly RouteSpec[];
}

interface RouteSpec {
  readonly id: string;
  /** Undefined if it is not a CIDR. */
  readonly destination: string | undefined;
  readonly ours: boolean;
  readonly target: TargetSpec;
}

type TargetSpec =
  | { readonly kind: 'instance' | 'unready' | 'address'; readonly number: number }
  | { readonly kind: 'blackhole' | 'other' | 'unknown' };

/** Nodes and routes share the numbers of a few networks. */
const number = fc.integer({ min: 1, max: 6 });
const usualIPv4 = number.map((at) => `10.244.${at}.0/24`);
const usualIPv6 = number.map((at) => `fd00:244:0:${at}::/64`);
const oddNetwork = fc.constantFrom(
  '10.244.0.0/22',
  '10.244.2.0/23',
  '10.244.3.128/25',
  '10.244.0.0/15',
  '10.245.1.0/24',
  'fd00:244::/62',
  'fd00:244:0:3:8000::/65',
  'fd00:245:0:1::/64',
);

const target: fc.Arbitrary<TargetSpec> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('instance' as const), number }) },
  fc.record({ kind: fc.constantFrom('unready' as const, 'address' as const), number }),
  fc.record({ kind: fc.constantFrom('blackhole' as const, 'other' as const) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unknown' as const) }) },
);

const bars = ['isOurs', 'holder', 'isSelected', 'isPaused', 'isDeleting'] as const;

/** Draws the usual value most of the time. */
const rarely = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

/** Draws nodes. `strays` are podCIDRs other than the usual ones of a node. */
function nodesWith(strays: fc.Arbitrary<readonly string[]>): fc.Arbitrary<readonly NodeSpec[]> {
  const node = number.chain((own) => {
    const own4 = `10.244.${own}.0/24`;
    const both = [own4, `fd00:244:0:${own}::/64`];
    return fc.record({
      number: fc.constant(own),
      podCIDRs: fc.oneof({ weight: 8, arbitrary: rarely<readonly string[]>(both, [own4]) }, strays),
      podBlocks: rarely<readonly string[]>([], both, ['10.244.0.0/16']),
      lacks: rarely<NodeSpec['lacks']>('nothing', 'instance', 'IPv4', 'IPv6'),
      bar: rarely<NodeSpec['bar']>('none', ...bars),
    });
  });
  return fc.uniqueArray(node, { maxLength: 5, selector: (one) => one.number });
}

function tablesOf(options: {
  readonly destination: fc.Arbitrary<string | undefined>;
  readonly isDistinct: boolean;
  readonly capacity: fc.Arbitrary<ListedTable['capacity']>;
}): fc.Arbitrary<readonly TableSpec[]> {
  const route = fc.record({
    destination: options.destination,
    ours: fc.constantFrom(true, true, true, false),
    target,
  });
  const routes = fc
    .uniqueArray(route, {
      maxLength: 10,
      selector: (one) => (options.isDistinct ? one.destination : one),
    })
    .map((all) => all.map((one, index): RouteSpec => ({ id: `r-${index}`, ...one })));
  return fc.uniqueArray(
    fc.record({ id: fc.constantFrom('a', 'b'), capacity: options.capacity, routes }),
    { maxLength: 2, selector: ({ id }) => id },
  );
}

function casesOf(
  nodes: fc.Arbitrary<readonly NodeSpec[]>,
  tables: fc.Arbitrary<readonly TableSpec[]>,
): fc.Arbitrary<RoutingCase> {
  return fc.record({
    nodes,
    clusterCIDRs: rarely(['10.244.0.0/16', 'fd00:244::/48'], ['10.244.0.0/16'], []),
    families: rarely<RoutingCase['families']>(['IPv4', 'IPv6'], ['IPv4'], ['IPv6']),
    tables,
    targets: fc.constantFrom('instance' as const, 'address' as const),
  });
}

const usual = fc.oneof(usualIPv4, usualIPv6);

/** Cases of all kinds. */
export const anyCase: fc.Arbitrary<RoutingCase> = casesOf(
  nodesWith(
    fc.oneof(
      fc.tuple(fc.oneof(usualIPv4, oddNetwork), usualIPv6),
      fc.constantFrom([], ['nonsense']),
    ),
  ),
  tablesOf({
    destination: fc.oneof({ weight: 6, arbitrary: usual }, oddNetwork, fc.constant(undefined)),
    isDistinct: false,
    capacity: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      fc.nat(14),
      fc.record({ IPv4: fc.nat(7), IPv6: fc.nat(7) }),
    ),
  }),
);

/** Cases with networks of one size, one route to each destination, and no limits. */
export const tidyCase: fc.Arbitrary<RoutingCase> = casesOf(
  nodesWith(fc.tuple(usualIPv4, usualIPv6)),
  tablesOf({ destination: usual, isDistinct: true, capacity: fc.constant(undefined) }),
);

export type Spelling = (text: string) => string;

/** The longest spelling of IPv6, in upper case. */
export const longSpelling: Spelling = (text) => {
  const [network = '', length = ''] = text.split('/');
  if (!network.includes(':')) return text;
  const [head = '', tail = ''] = network.split('::');
  const [left, right] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0');
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])];
  return `${groups.map((group) => group.padStart(4, '0').toUpperCase()).join(':')}/${length}`;
};

export function build(spec: RoutingCase, spelling: Spelling = (text) => text): RoutePlanInput {
  const network = (text: string): Cidr => cidr(spelling(text));
  return {
    nodes: spec.nodes.map((node) => buildNode(node, spelling)),
    clusterCIDRs: spec.clusterCIDRs.map(network),
    families: spec.families,
    tables: spec.tables.map(({ id, capacity, routes }) => ({
      id,
      ...(capacity === undefined ? {} : { capacity }),
      routes: routes.map((route): ListedRoute => {
        const destination =
          route.destination === undefined ? undefined : network(route.destination);
        const text = destination === undefined ? 'pl-1' : formatCidr(destination);
        const ours = route.ours && route.target.kind !== 'unknown';
        return { id: route.id, destination, text, ours, target: buildTarget(route) };
      }),
    })),
  };
}

function buildNode(spec: NodeSpec, spelling: Spelling): RoutedNode {
  const { number: own, lacks, bar } = spec;
  const { instance, internalIPs, ...node } = aNode(own);
  const { IPv4, IPv6 } = internalIPs;
  const texts = spec.podBlocks.map(spelling);
  const podBlocks = {
    IPv4: texts.filter((text) => !text.includes(':')),
    IPv6: texts.filter((text) => text.includes(':')),
  };
  return {
    ...node,
    podCIDRs: spec.podCIDRs.map(spelling),
    instance:
      lacks === 'instance' || instance === undefined ? undefined : { ...instance, podBlocks },
    internalIPs: {
      ...(lacks === 'IPv4' || IPv4 === undefined ? {} : { IPv4 }),
      ...(lacks === 'IPv6' || IPv6 === undefined ? {} : { IPv6 }),
    },
    ...(bar === 'holder' && { holder: 'another' }),
    ...((bar === 'isOurs' || bar === 'isSelected') && { [bar]: false }),
    ...((bar === 'isPaused' || bar === 'isDeleting') && { [bar]: true }),
  };
}

function buildTarget({ destination, target: spec }: RouteSpec): ListedTarget {
  switch (spec.kind) {
    case 'instance':
    case 'unready':
      return { kind: 'instance', key: `i-${spec.number}`, ready: spec.kind === 'instance' };
    case 'address': {
      const isIPv6 = destination?.includes(':') === true;
      const text = isIPv6 ? `fd00::${spec.number}` : `10.0.0.${spec.number}`;
      return { kind: 'address', address: address(text) };
    }
    case 'blackhole':
    case 'other':
      return { kind: spec.kind };
    case 'unknown':
      return { kind: 'unknown', why: 'the cloud failed' };
  }
}

/** Returns the case with all of its lists in another order. */
export function shuffled(spec: RoutingCase, keys: readonly number[]): RoutingCase {
  const shuffle = <T>(items: readonly T[]): readonly T[] => inOrder(items, keys);
  return {
    ...spec,
    nodes: shuffle(spec.nodes).map((node) => ({
      ...node,
      podCIDRs: shuffle(node.podCIDRs),
      podBlocks: shuffle(node.podBlocks),
    })),
    clusterCIDRs: shuffle(spec.clusterCIDRs),
    families: shuffle(spec.families),
    tables: shuffle(spec.tables).map((table) => ({ ...table, routes: shuffle(table.routes) })),
  };
}

/** Returns the items in the order of these random keys. */
export function inOrder<T>(items: readonly T[], keys: readonly number[]): readonly T[] {
  const keyOf = (index: number): number => keys[index % keys.length] ?? 0;
  return items
    .map((item, index) => ({ item, key: keyOf(index) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

export const orderKeys: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(1_000), {
  minLength: 24,
  maxLength: 24,
});
