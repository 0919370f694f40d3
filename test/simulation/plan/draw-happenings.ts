/**
 * What happens in a world while things go wrong. What takes a node or its machine away befalls a machine
 * once at most, so that it stays clear what has to be in the end.
 */
import type { Random } from '@tandem/runtime';
import { between, isDrawn, oneOf, takeOne } from './draw.ts';
import { drawAddresses, drawOperatorRequest, drawRequest, vips } from './draw-machines.ts';
import {
  type Happening,
  type Interruption,
  type Kill,
  originalsOf,
  type Outage,
  type PlannedMachine,
} from './plan.ts';

/** Nothing happens before the first nodes are there, nor so late that it is no trouble any more. */
const happeningsMs = { first: 1_000, last: 16_000 };

export function drawHappenings(
  random: Random,
  machines: readonly PlannedMachine[],
): readonly Happening[] {
  const originals = originalsOf(machines);
  const own = machines.filter(({ kind, name }) => kind.is === 'own' && !originals.has(name));
  const whole = [...own];
  const count = between(random, 3, 6);
  return Array.from({ length: count }, () => drawHappening(random, own, whole)).toSorted(
    (a, b) => a.atMs - b.atMs,
  );
}

/** In half of the worlds a machine gets an address that its node then asks for. */
export function drawGrants(
  random: Random,
  machines: readonly PlannedMachine[],
): readonly Happening[] {
  const own = machines.filter(({ kind }) => kind.is === 'own');
  return Array.from({ length: oneOf(random, [0, 0, 1, 2]) }, (): Happening => {
    const machine = own[between(random, 0, own.length - 1)];
    const name = machine?.name ?? '';
    const addresses = otherAddresses(random, name);
    const usable = addresses.filter(({ address }) => !vips.includes(address));
    return after(machine, {
      kind: 'grant',
      atMs: between(random, happeningsMs.first, happeningsMs.last),
      machine: name,
      addresses,
      request: usable[between(random, 0, usable.length - 1)]?.address ?? 'IPv4',
      pauseMs: between(random, 0, 400),
      failsOnce: isDrawn(random, 0.5),
    });
  });
}

export function drawKills(random: Random): readonly Kill[] {
  const count = oneOf(random, [0, 0, 1, 1, 2]);
  return Array.from({ length: count }, () => ({
    atCall: between(random, 1, 70),
    when: oneOf(random, ['before', 'after']),
    pauseMs: between(random, 0, 4_000),
  }));
}

/** In some worlds Nodes are deleted in the midst of a write. */
export function drawInterruptions(
  random: Random,
  machines: readonly PlannedMachine[],
  happenings: readonly Happening[],
): readonly Interruption[] {
  if (!isDrawn(random, 0.2)) return [];
  const lesser = new Set<Happening['kind']>(['annotate', 'heartbeat', 'readdress']);
  const others = happenings.filter(({ kind }) => !lesser.has(kind));
  const taken = new Set(others.map((one) => ('machine' in one ? one.machine : '')));
  const originals = originalsOf(machines);
  const free = machines
    .filter(({ kind, name }) => kind.is === 'own' && !originals.has(name) && !taken.has(name))
    .map(({ name }) => name);
  return Array.from({ length: between(random, 1, 3) }, () => ({
    atPatch: between(random, 1, 40),
    machines: free,
    when: oneOf(random, ['before', 'after']),
    isRefused: isDrawn(random, 0.5),
    answerMs: between(random, 1, 100),
    rejoinMs: isDrawn(random, 0.5) ? between(random, 0, 2_000) : null,
  })).toSorted((a, b) => a.atPatch - b.atPatch);
}

function drawHappening(
  random: Random,
  own: readonly PlannedMachine[],
  whole: PlannedMachine[],
): Happening {
  const { first, last } = happeningsMs;
  const atMs = between(random, first, last);
  const any = own[between(random, 0, own.length - 1)];
  const lesser = any === undefined ? undefined : drawLesser(random, any);
  if (lesser === undefined || isDrawn(random, 0.45)) {
    const machine = takeOne(random, whole);
    if (machine !== undefined) return after(machine, { atMs, ...drawGreater(random, machine) });
  }
  return after(any, { atMs, ...(lesser ?? { kind: 'compact' }) });
}

/** Nothing befalls a machine before it is there. */
function after(machine: PlannedMachine | undefined, happening: Happening): Happening {
  return { ...happening, atMs: Math.max(happening.atMs, (machine?.atMs ?? 0) + 1) };
}

type Drawn = Happening extends infer H ? (H extends Happening ? Omit<H, 'atMs'> : never) : never;

/** What leaves node and machine where they are. */
function drawLesser(random: Random, { name: machine, addresses }: PlannedMachine): Drawn {
  const kind = oneOf(random, ['annotate', 'annotate', 'restart', 'readdress', 'beat', 'outage']);
  switch (kind) {
    case 'annotate': {
      const request = isDrawn(random, 0.2) ? null : drawOperatorRequest(random, addresses);
      return { kind, machine, request };
    }
    case 'restart': {
      const nodeIP = isDrawn(random, 0.2) ? null : drawRequest(random, addresses);
      return { kind, machine, nodeIP };
    }
    case 'readdress':
      return { kind, machine, addresses: otherAddresses(random, machine) };
    case 'beat':
      return isDrawn(random, 0.5) ? { kind: 'heartbeat', machine } : { kind: 'compact' };
    case 'outage':
      return { kind, how: oneOf(random, outages), forMs: between(random, 2_000, 12_000) };
  }
}

const outages: readonly [Outage, ...Outage[]] = ['lost', 'failure', 'empty'];

/** What takes one of them away, for a while or for good. */
function drawGreater(random: Random, { name: machine }: PlannedMachine): Drawn {
  const kind = oneOf(random, ['rejoin', 'namesake', 'terminate', 'unready', 'cutOff']);
  switch (kind) {
    case 'rejoin':
      return { kind, machine, pauseMs: between(random, 0, 2_000) };
    case 'namesake':
      return { kind, machine, addresses: otherAddresses(random, machine) };
    case 'terminate':
      return { kind, machine };
    case 'unready':
      return { kind, machine, forMs: between(random, 10_000, 30_000) };
    case 'cutOff':
      return {
        kind,
        machine,
        how: oneOf(random, outages),
        forMs: between(random, 8_000, 20_000),
      };
  }
}

function otherAddresses(random: Random, machine: string): ReturnType<typeof drawAddresses> {
  return drawAddresses(random, Number(machine.slice(-2)), between(random, 2, 200));
}
