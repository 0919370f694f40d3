/**
 * Draws route tables that are full, slow, strangely spelt and shared with others, and pod CIDRs for worlds whose
 * manager only routes to them. Each habit is on in a part of the worlds.
 */
import { noRouteFaults, routeSettingsDefault } from '@tandem/provider-simulated';
import type { Random } from '@tandem/runtime';
import { type AllocationPlan, cidrOfBlocks, type PodFamily, spelledOut } from './allocation.ts';
import { between, isDrawn, oneOf, takeOne } from './draw.ts';
import { drawFamilies, flagPool, outsidePool, roomy } from './draw-allocation.ts';
import type { Happening, PlannedMachine } from './plan.ts';
import type { PlannedStray, RoutePlan } from './routes.ts';

/** What the plan of a world has so far. */
interface Around {
  readonly machines: readonly PlannedMachine[];
  readonly allocation: AllocationPlan | undefined;
}

export function drawRoutes(random: Random, { machines, allocation }: Around): RoutePlan {
  const ranges =
    allocation === undefined
      ? drawFamilies(random.fork('families')).map(rangeOf)
      : allocation.pools.flatMap((pool) => pool.ranges);
  const families = [...new Set(ranges.map(({ family }) => family))];
  const given =
    allocation === undefined
      ? drawPodCIDRs(random.fork('pod-cidrs'), machines, families)
      : noPodCIDRs;
  const tables = oneOf(random.fork('tables'), [
    ['main'],
    ['main'],
    ['main', 'zone'],
    ['a', 'b', 'c'],
  ]);
  const strays = drawStrays(random.fork('strays'), tables, families);
  const count = strays.length + machines.length * families.length;
  return {
    settings: drawSettings(random.fork('settings'), { tables, count, families }),
    clusterCIDRs: ranges.map(({ cidr }) => cidr),
    strays,
    selected: drawSelected(random.fork('selected'), machines),
    ...given,
  };
}

/** What befalls routes and the networks of nodes. */
export function drawRouteHappenings(
  random: Random,
  { machines }: Around,
  { settings, clusterCIDRs, registered }: RoutePlan,
): readonly Happening[] {
  const families = [...new Set(clusterCIDRs.map(familyOf))];
  const some = (chance: number, most: number): readonly PlannedMachine[] => {
    const rest = machines.filter(({ kind }) => kind.is === 'own');
    const length = isDrawn(random, chance) ? between(random, 1, most) : 0;
    return Array.from({ length }, () => takeOne(random, rest)).filter((one) => one !== undefined);
  };
  const after = ({ atMs }: PlannedMachine): number => atMs + between(random, 1, 9_000);
  const tables = settings.tables.map(({ id }) => id);
  const [first = ''] = tables;
  return [
    ...some(0.5, 2).map((machine): Happening => ({
      kind: 'stray',
      atMs: after(machine),
      table: tables[between(random, 0, tables.length - 1)] ?? first,
      destination: cidrOfBlocks(familyAmong(random, families), drawBlock(random)),
    })),
    ...some(0.4, 3).map((machine): Happening => ({
      kind: 'unroutable',
      atMs: after(machine),
      machine: machine.name,
    })),
    ...some(0.3, 2).map((machine): Happening => ({
      kind: 'plugin',
      atMs: after(machine),
      machine: machine.name,
      status: oneOf(random, ['True', 'False']),
    })),
    ...some(0.3, 2).map((machine): Happening => ({
      kind: 'pause',
      atMs: after(machine),
      machine: machine.name,
      forMs: between(random, 500, 6_000),
    })),
    ...drawAssignments(random.fork('assigned'), { machines, families, registered }),
  ];
}

const noPodCIDRs: Pick<RoutePlan, 'registered' | 'podBlocks'> = {
  registered: new Map(),
  podBlocks: new Map(),
};

function rangeOf(family: PodFamily): { readonly family: PodFamily; readonly cidr: string } {
  const cidr = cidrOfBlocks(family, { pool: flagPool.pool, first: 0, bits: roomy.bits });
  return { family, cidr };
}

/** Most nodes that register with pod CIDRs have a block of their own. */
function drawPodCIDRs(
  random: Random,
  machines: readonly PlannedMachine[],
  families: readonly PodFamily[],
): Pick<RoutePlan, 'registered' | 'podBlocks'> {
  const registered = new Map<string, readonly string[]>();
  const podBlocks = new Map<string, Readonly<Record<PodFamily, readonly string[]>>>();
  const blocksOf = (texts: readonly string[], family: PodFamily): readonly string[] =>
    texts.filter((text) => familyOf(text) === family);
  for (const [index, { name, kind }] of machines.entries()) {
    if (isDrawn(random, 0.5)) continue;
    const isOutside = isDrawn(random, 0.05);
    // Now and then two nodes have the same block.
    const first = isDrawn(random, 0.06) ? Math.max(index - 1, 0) : index;
    const pool = isOutside ? outsidePool : flagPool.pool;
    const some = isDrawn(random, 0.1) ? families.slice(0, 1) : families;
    const texts = some.map((family) => cidrOfBlocks(family, { pool, first, bits: 0 }));
    registered.set(name, isDrawn(random, 0.3) ? texts.map(spelledOut) : texts);
    if (!isDrawn(random, 0.1) || kind.is !== 'own') continue;
    podBlocks.set(name, { IPv4: blocksOf(texts, 'IPv4'), IPv6: blocksOf(texts, 'IPv6') });
  }
  return { registered, podBlocks };
}

/** The other nodes get theirs from another allocator. */
function drawAssignments(
  random: Random,
  {
    machines,
    families,
    registered,
  }: Pick<RoutePlan, 'registered'> & {
    readonly machines: readonly PlannedMachine[];
    readonly families: readonly PodFamily[];
  },
): readonly Happening[] {
  if (registered.size === 0) return [];
  return machines.flatMap((machine, index): readonly Happening[] => {
    if (registered.has(machine.name) || isDrawn(random, 0.1)) return [];
    const podCIDRs = families.map((family) =>
      cidrOfBlocks(family, { pool: flagPool.pool, first: index + 32, bits: 0 }),
    );
    const atMs = machine.atMs + between(random, 1, 8_000);
    return [{ kind: 'assign', atMs, machine: machine.name, podCIDRs }];
  });
}

function drawStrays(
  random: Random,
  tables: readonly string[],
  families: readonly PodFamily[],
): readonly PlannedStray[] {
  return Array.from({ length: oneOf(random, [0, 0, 2, 5]) }, (): PlannedStray => {
    const family = familyAmong(random, families);
    const isIPv4 = family === 'IPv4';
    const outside = isIPv4 ? ['0.0.0.0/0', '192.168.7.0/24'] : ['::/0', 'fd99:1::/64'];
    const block = drawBlock(random);
    const inside = cidrOfBlocks(family, block);
    const wide = cidrOfBlocks(family, { ...block, first: block.first & ~1, bits: 1 });
    const [, length = ''] = inside.split('/');
    const narrow = inside.replace(/\/\d+$/, `/${Number(length) + 1}`);
    const owner = isDrawn(random, 0.5) ? 'other' : 'manager';
    const others = owner === 'other' ? ['pl-1a2b3c4d'] : [];
    const destinations = [inside, inside, wide, narrow, ...outside, ...others];
    return {
      table: tables[between(random, 0, tables.length - 1)] ?? '',
      destination: destinations[between(random, 0, destinations.length - 1)] ?? inside,
      owner,
    };
  });
}

function drawSettings(
  random: Random,
  drawn: {
    readonly tables: readonly string[];
    /** How many routes a table would have. */
    readonly count: number;
    readonly families: readonly PodFamily[];
  },
): RoutePlan['settings'] {
  const { tables, count, families } = drawn;
  const rate = (most: number): number => (isDrawn(random, 0.5) ? random.next() * most : 0);
  const min = between(random, 0, 20);
  const isTight = isDrawn(random, 0.4);
  const room = between(random, 4, 10);
  const perFamily = Math.ceil(count / families.length) - room;
  const capacity = isDrawn(random, 0.5)
    ? count - room
    : { IPv4: perFamily, IPv6: perFamily + between(random, 0, 9) };
  return {
    ...routeSettingsDefault,
    tables: tables.map((id, index) => (isTight && index === 0 ? { id, capacity } : { id })),
    families: oneOf<readonly PodFamily[]>(random, [
      ['IPv4', 'IPv6'],
      ['IPv4', 'IPv6'],
      ['IPv4', 'IPv6'],
      ['IPv4'],
      ['IPv6'],
    ]),
    limits: {
      batchSize: oneOf(random, [100, 100, 5]),
      concurrency: oneOf(random, [1, 3]),
      callsPerSecond: 20,
      burst: 20,
      deadlineMs: between(random, 2_000, 6_000),
      gatherMsMax: oneOf(random.fork('gather'), [500, 500, 4_000]),
    },
    latencyMs: { min, max: min + between(random, 1, 60) },
    faults: {
      ...noRouteFaults,
      throttle: rate(0.1),
      failure: rate(0.3),
      failureAfter: rate(0.3),
      lostBefore: rate(0.05),
      lostAfter: rate(0.1),
    },
    emptyShare: rate(0.3),
    unreadyShare: rate(0.4),
    unreadShare: isDrawn(random.fork('unread'), 0.4) ? random.fork('unread share').next() * 0.6 : 0,
    spellsOddly: isDrawn(random, 0.6),
    targets: oneOf(random, ['instance', 'instance', 'address']),
  };
}

function drawSelected(
  random: Random,
  machines: readonly PlannedMachine[],
): readonly string[] | undefined {
  if (!isDrawn(random, 0.2)) return undefined;
  return machines.filter(() => isDrawn(random, 0.8)).map(({ name }) => name);
}

function drawBlock(random: Random): {
  readonly pool: number;
  readonly first: number;
  readonly bits: number;
} {
  return { pool: flagPool.pool, first: between(random, 0, 15), bits: 0 };
}

function familyAmong(random: Random, families: readonly PodFamily[]): PodFamily {
  return families[between(random, 0, families.length - 1)] ?? 'IPv4';
}

function familyOf(cidr: string): PodFamily {
  return cidr.includes(':') ? 'IPv6' : 'IPv4';
}
