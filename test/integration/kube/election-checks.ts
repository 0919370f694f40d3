/**
 * Checks of electors on a real API server: one ends in some way and another takes over, or one is paused for longer
 * than its lease lasts. Those with upstream's times mostly wait, for most of a minute, so that they start together
 * with the quick ones and their results are read last.
 */
import assert from 'node:assert/strict';
import { type ElectionTimings, upstreamTimings } from '@tandem/kube/election';
import { systemClock } from '@tandem/runtime';
import {
  inBackground,
  type ControlPlane,
  eventually,
  sharedControlPlane,
} from '../../control-plane/index.ts';
import { buildGoProgram, goPrograms } from '../../support/go-program.ts';
import type { ElectionProcess } from './election-process.ts';
import { Election } from './election.ts';

/** How much a busy machine may add to each of the times below. */
const slackMs = 1_500;

/** The limits of a hand-over: our electors watch the Lease, those of client-go poll it. */
export const afterReleaseMsMax: number = 2_000 + slackMs;
export const afterReleaseToUpstreamMsMax = ({ retryPeriodMs }: ElectionTimings): number =>
  2.2 * retryPeriodMs + slackMs;
export const afterKillMsMax = ({ leaseDurationMs, retryPeriodMs }: ElectionTimings): number =>
  leaseDurationMs + 2 * 2.2 * retryPeriodMs + slackMs;

/** What electors need to campaign. */
export interface ElectionSetup {
  readonly controlPlane: ControlPlane;
  /** The elector of client-go; `undefined` without Go to build it. */
  readonly elector: string | undefined;
}

/** For a `before` hook: starts the server and builds the elector of client-go. */
export async function setUpElection(context: Mocha.Context): Promise<ElectionSetup> {
  const controlPlane = await sharedControlPlane(context);
  context.timeout(buildMsMax);
  return {
    controlPlane,
    elector: await buildGoProgram(goPrograms.elector),
  };
}

/** A cold build on two busy cores. */
const buildMsMax = 20 * 60_000;

/** Ends a leader and returns how long it took until the other one led. */
export async function handOver(
  leader: ElectionProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  successor: ElectionProcess,
): Promise<number> {
  assert.deepEqual(successor.has('leading'), false);
  const fromMs = systemClock.now();
  leader.signal(signal);
  return (await successor.first('leading')).atMs - fromMs;
}

export function assertWithin(tookMs: number, limitMs: number): void {
  assert.ok(tookMs <= limitMs, `took ${tookMs} ms, allowed are ${limitMs} ms`);
}

/** Pauses a leader that obeys nothing but its gate until another one leads and writes. */
export async function assertPausedWritesNothing(
  controlPlane: ControlPlane,
  name: string,
  timings: ElectionTimings,
): Promise<void> {
  using election = await Election.create(controlPlane, name, timings);
  const a = election.startOurs('a', 'never ends');
  await a.first('wrote');
  const b = election.startOurs('b');
  await election.isSeen(b, 'a');
  a.signal('SIGSTOP');
  const pausedAtMs = systemClock.now();
  await b.first('wrote', { withinMs: afterKillMsMax(timings) });
  const pauseMs = timings.leaseDurationMs * 2;
  await eventually(() => systemClock.now() - pausedAtMs >= pauseMs, { withinMs: pauseMs });
  a.signal('SIGCONT');
  await a.ended();

  const takenAtMs = await election.takenAtMs('b');
  const writes = await election.writesOf('a');
  assert.ok(writes.length > 0 && takenAtMs > pausedAtMs);
  assert.deepEqual(
    writes.filter((atMs) => atMs > takenAtMs),
    [],
  );
  const afterwards = a.events.filter(({ atMs }) => atMs > takenAtMs).map(({ event }) => event);
  assert.ok(afterwards.filter((event) => event === 'refused').length > 10, 'it did not try');
  assert.deepEqual(
    afterwards.filter((event) => event === 'stopped' || event === 'ended'),
    ['stopped', 'ended'],
  );
  assert.equal((await election.holder()).holderIdentity, `${name}-b`);
}

/** Takes over from client-go's leader when it is killed, and hands over to another. */
async function assertTakeover({ controlPlane, elector }: ElectionSetup): Promise<void> {
  if (elector === undefined) return;
  const timings = upstreamTimings;
  using election = await Election.create(controlPlane, 'cloud-controller-manager', timings);
  const options = { file: elector, release: 'never' } as const;
  const upstream = election.startUpstream('upstream', options);
  await upstream.first('leading');
  const ours = election.startOurs('ours');
  await election.isSeen(ours, 'upstream');
  assertWithin(await handOver(upstream, 'SIGKILL', ours), afterKillMsMax(timings));
  const next = election.startUpstream('next', options);
  await election.isSeen(next, 'ours');
  assertWithin(await handOver(ours, 'SIGTERM', next), afterReleaseToUpstreamMsMax(timings));
}

let checksInUpstreamTimes: Promise<unknown> | undefined;

/** The checks with upstream's times. The first call starts them. */
export function checkInUpstreamTimes(setup: ElectionSetup): Promise<unknown> {
  checksInUpstreamTimes ??= inBackground(
    Promise.all([
      assertTakeover(setup),
      assertPausedWritesNothing(setup.controlPlane, 'long-pause', upstreamTimings),
    ]),
  );
  return checksInUpstreamTimes;
}
