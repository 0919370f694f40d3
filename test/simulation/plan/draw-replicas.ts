/**
 * Draws what happens to two managers. Most of it befalls the one that is just giving pod CIDRs to a node, or has
 * just begun to lead: that is when a change of leaders can do harm.
 */
import type { Random } from '@tandem/runtime';
import { between, isDrawn, oneOf } from './draw.ts';
import type { Spare } from './draw-allocation.ts';
import type { Happening, PlannedMachine } from './plan.ts';
import type { Disruption, DisruptionTime, ReplicaPlan } from './replicas.ts';

/** A Lease runs out after 15 s, and the next leader waits for 12 s more: a world needs room for some of these. */
export const replicatedTroubleMs = 100_000;

/** Two leaders do harm where one of them has given a block to a node that the other one lets wait. */
export const replicatedSpare: Spare = { min: -6, max: 1 };

/**
 * What happens to machines within a quarter of a minute happens here while leaders come and go, and no two come at
 * one time: there has to be somebody to serve at any moment.
 */
const stretch = 5;
const apartMs = 1_000;

export function drawReplicas(random: Random): ReplicaPlan {
  return {
    secondAtMs: between(random, 0, 5_000),
    disruptions: Array.from({ length: between(random, 3, 7) }, () => drawDisruption(random)),
    lateWrites: {
      of: oneOf(random, ['assignments', 'nodes', 'all']),
      rate: isDrawn(random, 0.3) ? 0 : random.next() * 0.4,
    },
    standbyLagMs: isDrawn(random, 0.5) ? 0 : between(random, 1_000, 30_000),
  };
}

export function stretchedMachine(machine: PlannedMachine): PlannedMachine {
  return { ...machine, atMs: stretchedMs(machine.atMs, machine.name) };
}

export function stretchedHappening(happening: Happening): Happening {
  const name = 'machine' in happening ? happening.machine : '';
  return { ...happening, atMs: stretchedMs(happening.atMs, name) };
}

function stretchedMs(atMs: number, machine: string): number {
  return atMs * stretch + Number(machine.slice(-2)) * apartMs;
}

function drawDisruption(random: Random): Disruption {
  const when = drawTime(random);
  // A leader that gives its Lease back at once also speaks for the writes of its predecessor.
  const isStop = when.is === 'takeover' && isDrawn(random, 0.6);
  const kind = isStop ? 'stop' : oneOf(random, ['kill', 'stop', 'pause']);
  const forMs = kind === 'pause' ? between(random, 5_000, 60_000) : between(random, 100, 20_000);
  return { when, kind, forMs };
}

function drawTime(random: Random): DisruptionTime {
  if (isDrawn(random, 0.5)) {
    const sinceRenewalMs = oneOf(random, [0, 6_000]);
    return { is: 'assignment', number: between(random, 1, 14), sinceRenewalMs };
  }
  if (isDrawn(random, 0.4)) {
    return { is: 'takeover', number: between(random, 2, 4), afterMs: between(random, 1, 3_000) };
  }
  const atMs = between(random, 100, replicatedTroubleMs - 30_000);
  return { is: 'time', atMs, whom: oneOf(random, ['leader', 'leader', 'standby']) };
}
