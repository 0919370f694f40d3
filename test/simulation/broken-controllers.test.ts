/**
 * The test of the tests: managers that are broken in ways that others have been, each from outside its
 * shipped code, and each caught by the check that is there for it.
 */
import assert from 'node:assert/strict';
import type { Violation } from './oracle/index.ts';
import { drawPlan, type WorldPlan } from './plan/index.ts';
import { blindDelete, claimedNewcomers, errorAsAbsence, hasty } from './sabotage/deletions.ts';
import {
  deafToDeletions,
  emptiedAddresses,
  eventsOfTheGone,
  halfDone,
  labelBlind,
  lastingFailures,
  predecessorsAnswer,
  restless,
  secretRefusals,
  spellingBlind,
  staleCopies,
  taintFirst,
  vipBlind,
} from './sabotage/nodes.ts';
import {
  deafToSpace,
  halfPairs,
  leakedFirstFamily,
  noConsistentList,
  nodesInTurn,
  noHoldDown,
  noServerTimeout,
  noTermList,
  releaseByName,
  releasedInDoubt,
  releaseOnUnknown,
  repeatedExhaustion,
  routedBlocks,
  serviceBlind,
  textCompare,
  unguarded,
} from './sabotage/pod-cidrs.ts';
import {
  deadTargets,
  deletingOnError,
  foreignRoutes,
  lostRetries,
  routeTextCompare,
  twinRoutes,
  unreadRoutes,
} from './sabotage/routes.ts';
import { describeFailure } from './worlds.ts';
import { runWorld, type Sabotage, type WorldEnd } from './world/index.ts';

interface Case {
  readonly sabotage: Sabotage;
  readonly promise: Violation['promise'];
  readonly message: RegExp;
}

interface PlacedCase extends Case {
  /** The worlds in which it can do harm. */
  readonly isFit: (plan: WorldPlan) => boolean;
  /** Within so many such worlds it is caught. */
  readonly worldsMax: number;
}

const cases: readonly Case[] = [
  { sabotage: taintFirst, promise: 'P1', message: /lost its taint|neither taint nor addresses/ },
  { sabotage: labelBlind, promise: 'ESR', message: /is not there|is not this cloud’s/ },
  { sabotage: errorAsAbsence, promise: 'P3', message: /deleted while its machine .* runs/ },
  { sabotage: emptiedAddresses, promise: 'P3', message: /addresses of .* were emptied/ },
  { sabotage: hasty, promise: 'P3', message: /deleted after \d+ absent answers within \d+ ms/ },
  { sabotage: claimedNewcomers, promise: 'P3', message: /and was never found/ },
  { sabotage: blindDelete, promise: 'P3', message: /without preconditions/ },
  { sabotage: predecessorsAnswer, promise: 'P2', message: /got .*, (?:which )?its machine/ },
  { sabotage: spellingBlind, promise: 'P2', message: /are both initialised as/ },
  { sabotage: staleCopies, promise: 'P3', message: /on what its machine had before the request/ },
  { sabotage: lastingFailures, promise: 'ESR', message: /not acted on within a second/ },
  { sabotage: vipBlind, promise: 'P2', message: /10\.0\.0\.5|fd00::5/ },
  { sabotage: restless, promise: 'P5', message: /changed nothing/ },
  { sabotage: secretRefusals, promise: 'P6', message: /no Warning event/ },
  { sabotage: eventsOfTheGone, promise: 'M6', message: /an event .* which has been gone for/ },
  { sabotage: deafToDeletions, promise: 'M6', message: /entries are kept of nodes/ },
  { sabotage: halfDone, promise: 'ESR', message: /still tainted/ },
];

const casesOfPodCIDRs: readonly Case[] = [
  { sabotage: serviceBlind, promise: 'I2', message: /of a service range/ },
  { sabotage: unguarded, promise: 'I3', message: /without guards/ },
  { sabotage: halfPairs, promise: 'I4', message: /its pool has 2 families/ },
  { sabotage: leakedFirstFamily, promise: 'I6', message: /tandem_pod_cidr_blocks says/ },
  { sabotage: nodesInTurn, promise: 'I8', message: /from before the manager led/ },
  { sabotage: textCompare, promise: 'I8', message: /from before the manager led/ },
  { sabotage: repeatedExhaustion, promise: 'I9', message: /was told again/ },
  { sabotage: deafToSpace, promise: 'I9', message: /is not given out within a second/ },
];

const casesOfRoutes: readonly Case[] = [
  { sabotage: routeTextCompare, promise: 'T2', message: /needs the route to/ },
  { sabotage: deletingOnError, promise: 'T2', message: /needs the route to/ },
  { sabotage: foreignRoutes, promise: 'T3', message: /a route of another owner/ },
  { sabotage: deadTargets, promise: 'T3', message: /a route of another owner/ },
  { sabotage: unreadRoutes, promise: 'T5', message: /listed no route to/ },
  { sabotage: lostRetries, promise: 'T6', message: /has no route to/ },
];

const casesOfRoutedBlocks: readonly Case[] = [
  { sabotage: routedBlocks, promise: 'I7', message: /may still be routed/ },
];

const casesOfRoutedTwins: readonly Case[] = [
  { sabotage: twinRoutes, promise: 'P2', message: /whose machine another Node holds/ },
];

/** Two nodes share a block only where a lost answer or a deletion meets an almost full pool. */
const rareCasesOfPodCIDRs: readonly Case[] = [
  { sabotage: releaseOnUnknown, promise: 'I1', message: /got a block that .* has/ },
  { sabotage: releaseByName, promise: 'I1', message: /got a block that .* has/ },
];

/** What only a change of leaders brings about takes an unlucky moment: about one world in seventy has it. */
const casesOfTwoManagers: readonly Case[] = [
  { sabotage: noConsistentList, promise: 'I8', message: /from before the manager led/ },
  { sabotage: noHoldDown, promise: 'I1', message: /got a block that .* has/ },
  { sabotage: noServerTimeout, promise: 'I1', message: /got a block that .* has/ },
  { sabotage: releasedInDoubt, promise: 'I1', message: /got a block that .* has/ },
];

/** Two Nodes get one instance only where the cloud says nothing of one of them to a leader that is behind. */
const casesOfRivals: readonly Case[] = [
  { sabotage: noTermList, promise: 'P2', message: /are both initialised as/ },
];

const allCases: readonly PlacedCase[] = [
  ...cases.map((one) => ({ ...one, isFit: () => true, worldsMax: 120 })),
  ...casesOfPodCIDRs.map((one) => ({ ...one, isFit: hasAllocation, worldsMax: 120 })),
  ...casesOfRoutes.map((one) => ({ ...one, isFit: hasRoutes, worldsMax: 120 })),
  ...casesOfRoutedBlocks.map((one) => ({ ...one, isFit: hasRoutedBlocks, worldsMax: 120 })),
  ...casesOfRoutedTwins.map((one) => ({ ...one, isFit: hasRoutedTwins, worldsMax: 120 })),
  ...rareCasesOfPodCIDRs.map((one) => ({ ...one, isFit: hasAllocation, worldsMax: 1_000 })),
  ...casesOfTwoManagers.map((one) => ({ ...one, isFit: hasReplicas, worldsMax: 500 })),
  ...casesOfRivals.map((one) => ({ ...one, isFit: hasRivals, worldsMax: 300 })),
];

describe('a manager that is broken is caught', () => {
  for (const one of allCases) {
    const { sabotage, promise, message } = one;
    it(`by ${promise}, when it ${sabotage.name}`, async () => {
      const ends = await runUntilCaught(one);
      const last = ends.at(-1);
      assert.ok(last !== undefined && isCaught(last, { promise, message }), describeAll(ends));
      const told = describeFailure(last);
      assert.match(told, new RegExp(`TANDEM_SEED=${last.seed} npm test -- simulation`));
    });
  }
});

function hasAllocation({ allocation }: WorldPlan): boolean {
  return allocation !== undefined;
}

function hasRoutes({ routes }: WorldPlan): boolean {
  return routes !== undefined;
}

function hasRoutedBlocks(plan: WorldPlan): boolean {
  return hasAllocation(plan) && hasRoutes(plan);
}

function hasRoutedTwins(plan: WorldPlan): boolean {
  return hasRoutes(plan) && hasTwin(plan);
}

function hasTwin({ machines }: WorldPlan): boolean {
  return machines.some(({ kind }) => kind.is === 'twin');
}

function hasReplicas({ replicas }: WorldPlan): boolean {
  return replicas !== undefined;
}

/** Whether a standby is behind, two Nodes claim one machine, and look-ups say nothing of some nodes. */
function hasRivals(plan: WorldPlan): boolean {
  const { replicas, cloud } = plan;
  const { partial = 0, garbage = 0, empty = 0 } = cloud.faults ?? {};
  const isBehind = (replicas?.standbyLagMs ?? 0) > 5_000;
  return isBehind && hasTwin(plan) && Math.max(partial, garbage, empty) > 0.1;
}

async function runUntilCaught(one: PlacedCase): Promise<readonly WorldEnd[]> {
  const { sabotage, worldsMax, isFit } = one;
  const ends: WorldEnd[] = [];
  for (let number = 0; ends.length < worldsMax; number++) {
    const seed = `simulation/${number}`;
    if (!isFit(drawPlan(seed))) continue;
    const end = await runWorld({ seed, sabotage });
    ends.push(end);
    if (isCaught(end, one)) break;
  }
  return ends;
}

function isCaught(
  { violation }: WorldEnd,
  { promise, message }: Pick<Case, 'promise' | 'message'>,
): boolean {
  return violation?.promise === promise && message.test(violation.message);
}

function describeAll(ends: readonly WorldEnd[]): string {
  const others = ends.filter(({ violation }) => violation !== undefined).map(describeFailure);
  return `none of ${ends.length} worlds broke it; seen were ${others.join('\n') || 'no others'}`;
}
