/**
 * The plan of a world, drawn from its seed in the manner of swarm testing: which faults are on, how often
 * they strike and what happens differ from world to world. Each part draws from a stream of its own, so
 * that a change in one leaves the others as they were.
 */
import type { TransportRequest } from '@tandem/kube/transport';
import type { CloudSettings, FaultRates } from '@tandem/provider-simulated';
import { type Random } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import {
  drawFaultPlan,
  type FaultKind,
  type FaultPlan,
  requestFaults,
  streamFaults,
} from '../../support/api-faults/index.ts';
import { between, isDrawn } from './draw.ts';
import { drawAllocation, drawForeignAllocator } from './draw-allocation.ts';
import { drawGrants, drawHappenings, drawInterruptions, drawKills } from './draw-happenings.ts';
import {
  drawReplicas,
  replicatedSpare,
  replicatedTroubleMs,
  stretchedHappening,
  stretchedMachine,
} from './draw-replicas.ts';
import { drawRouteHappenings, drawRoutes } from './draw-routes.ts';
import { drawMachines, drawSpellings, drawStrangers, drawUnmanaged } from './draw-machines.ts';
import { type AimedFaults, unmanagedLabel, type WorldPlan } from './plan.ts';

/** Longer than the last happening takes to unfold. */
const troubleMs = 20_000;

/** How many of the worlds give out pod CIDRs: such a world takes half as long again as another. */
const allocatingShare = 1 / 3;

/** How many of these have two managers, which takes three times as long again. */
const replicatedShare = 0.3;

/** How many worlds have route tables, of those that give out pod CIDRs and of the others. */
const routedShare = { allocating: 0.4, other: 0.15 };

export function drawPlan(seed: string): WorldPlan {
  const random = seededRandom(`${seed}/plan`);
  const plan = drawSingle(random);
  const { allocation } = plan;
  const isReplicated =
    allocation !== undefined && isDrawn(random.fork('replicated'), replicatedShare);
  const whole = isReplicated ? withReplicas(random, plan) : plan;
  const share = allocation === undefined ? routedShare.other : routedShare.allocating;
  return isDrawn(random.fork('routed'), share) ? withRoutes(random.fork('routes'), whole) : whole;
}

/** The same world with route tables in its cloud. */
function withRoutes(random: Random, plan: WorldPlan): WorldPlan {
  const routes = drawRoutes(random, plan);
  const drawn = drawRouteHappenings(random.fork('happenings'), plan, routes);
  return {
    ...plan,
    routes,
    cloud: { ...plan.cloud, routes: routes.settings },
    happenings: [...plan.happenings, ...drawn],
  };
}

/** A world with one manager. */
function drawSingle(random: Random): WorldPlan {
  const drawn = drawStrangers(random.fork('strangers'), drawMachines(random.fork('machines')));
  const spelt = drawSpellings(random.fork('spellings'), drawn);
  const machines = drawUnmanaged(random.fork('unmanaged'), spelt);
  const happenings = drawHappenings(random.fork('happenings'), machines);
  const allocation = isDrawn(random.fork('ipam'), allocatingShare)
    ? drawAllocation(random.fork('allocation'), machines)
    : undefined;
  const assigned =
    allocation === undefined
      ? []
      : drawForeignAllocator(random.fork('foreign-allocator'), machines, allocation);
  return {
    machines,
    allocation,
    replicas: undefined,
    routes: undefined,
    happenings: [...happenings, ...drawGrants(random.fork('grants'), machines), ...assigned],
    apiFaults: drawApiFaults(random.fork('api')),
    cloud: {
      ...drawCloud(random.fork('cloud')),
      keepsCopies: isDrawn(random.fork('copies'), 0.3),
      unmanagedLabel,
      tellsChanges: isDrawn(random.fork('notices'), 0.5),
    },
    kills: drawKills(random.fork('kills')),
    interruptions: drawInterruptions(random.fork('interruptions'), machines, happenings),
    pace: isDrawn(random.fork('pace'), 0.25) ? 'brisk' : 'calm',
    troubleMs,
  };
}

/** The same world with two managers, in which everything takes longer. */
function withReplicas(random: Random, plan: WorldPlan): WorldPlan {
  return {
    ...plan,
    machines: plan.machines.map(stretchedMachine),
    allocation: drawAllocation(random.fork('allocation'), plan.machines, replicatedSpare),
    happenings: plan.happenings.map(stretchedHappening),
    replicas: drawReplicas(random.fork('replicas')),
    troubleMs: replicatedTroubleMs,
  };
}

/** No API server answers a write as it may answer a list, nor a list as it may answer a write. */
function drawApiFaults(random: Random): readonly AimedFaults[] {
  const anywhere = requestFaults.filter((kind) => kind !== 'gone' && kind !== 'conflict');
  const aimed = (name: string, kinds: readonly FaultKind[]): FaultPlan =>
    drawFaultPlan(random.fork(name), kinds);
  // Who cannot get at the Lease does nothing at all, so in most worlds it is spared.
  const isSpared = isDrawn(random, 0.7) ? isAboutLease : () => false;
  return [
    { plan: aimed('lists', [...anywhere, 'gone', ...streamFaults]), isTarget: isList },
    { plan: aimed('reads', [...anywhere, 'truncated', 'garbled']), isTarget: isRead },
    { plan: aimed('writes', [...anywhere, 'conflict', 'truncated']), isTarget: isWrite },
  ].map(({ plan, isTarget }) => ({
    plan,
    isTarget: (request) => isTarget(request) && !isSpared(request),
  }));
}

function isAboutLease({ path }: TransportRequest): boolean {
  return path.includes('/leases');
}

function isList({ method, path }: TransportRequest): boolean {
  return method === 'GET' && /[?&](?:watch|limit)=/.test(path);
}

function isRead(request: TransportRequest): boolean {
  return request.method === 'GET' && !isList(request);
}

function isWrite({ method }: TransportRequest): boolean {
  return method !== 'GET';
}

function drawCloud(random: Random): Partial<CloudSettings> {
  const min = between(random, 0, 20);
  return {
    latencyMs: { min, max: min + between(random, 1, 200) },
    // Less than the grace of a deletion: what is not shown yet is not gone for two looks.
    lagMsMax: isDrawn(random, 0.3) ? between(random, 1, 3_000) : 0,
    faults: drawRates(random),
  };
}

function drawRates(random: Random): FaultRates {
  const rate = (most: number): number => (isDrawn(random, 0.5) ? random.next() * most : 0);
  return {
    throttle: rate(0.4),
    failure: rate(0.5),
    lost: rate(0.1),
    partial: rate(0.5),
    empty: rate(0.4),
    garbage: rate(0.4),
  };
}
