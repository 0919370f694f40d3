/**
 * Electors as processes on a real API server: how soon one follows another that exits or is killed, that
 * a leader which was paused writes nothing more, and that ours and client-go's yield to and take over
 * from each other. The audit log has the last word on who wrote when.
 */
import assert from 'node:assert/strict';
import { type ElectionTimings, upstreamTimings } from '@tandem/kube/election';
import { systemClock, systemEnvironment } from '@tandem/runtime';
import { type ControlPlane, eventually, privateControlPlane } from '../../control-plane/index.ts';
import { Election } from './election-scene.ts';
import { type ElectionProcess, killElectionProcesses } from './election-process.ts';
import { buildUpstreamElector } from './elector/build.ts';

/** In upstream's proportions, and quick. */
const quickTimings: ElectionTimings = {
  leaseDurationMs: 3_000,
  renewDeadlineMs: 2_000,
  retryPeriodMs: 400,
};

/** What a busy machine may add to any of the times below. */
const slackMs = 1_500;

/** The limits of each way to hand over: ours watch the Lease, client-go's look now and then. */
const afterReleaseMsMax = 2_000 + slackMs;
const afterReleaseToUpstreamMsMax = ({ retryPeriodMs }: ElectionTimings): number =>
  2.2 * retryPeriodMs + slackMs;
const afterKillMsMax = ({ leaseDurationMs, retryPeriodMs }: ElectionTimings): number =>
  leaseDurationMs + 2 * 2.2 * retryPeriodMs + slackMs;

describe('electors on a real API server', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;
  /** The upstream elector; `undefined` where there is no Go to build it with. */
  let file: string | undefined;
  /** The scenes in upstream's times, which are mostly waiting: they run beside all the others. */
  let slowScenes: Promise<unknown>;

  before(async function () {
    controlPlane = await privateControlPlane(this, { audit: 'on' });
    this.timeout(buildMsMax);
    file = await buildUpstreamElector(systemEnvironment(), process.stderr);
    slowScenes = Promise.all([
      assertTakeover(file),
      assertPausedWritesNothing('long-pause', upstreamTimings),
    ]);
    // Whoever waits for them is told; whoever does not need not be.
    slowScenes.catch(() => {});
  });

  after(() => killElectionProcesses());

  /** Ends a leader in some way and tells how long it took until the other led. */
  async function handOver(
    leader: ElectionProcess,
    signal: 'SIGTERM' | 'SIGKILL',
    successor: ElectionProcess,
  ): Promise<number> {
    assert.deepEqual(successor.has('leading'), false);
    const fromMs = systemClock.now();
    leader.send(signal);
    return (await successor.first('leading')).atMs - fromMs;
  }

  function assertWithin(tookMs: number, limitMs: number): void {
    assert.ok(tookMs <= limitMs, `took ${tookMs} ms, allowed are ${limitMs} ms`);
  }

  it('hand over within 2 s when the leader exits, and no write of its comes after that', async () => {
    const election = await Election.create(controlPlane, 'exit', quickTimings);
    const a = election.startOurs('a');
    await a.first('wrote');
    const b = election.startOurs('b');
    await election.isSeen(b, 'a');
    assertWithin(await handOver(a, 'SIGTERM', b), afterReleaseMsMax);
    await b.first('wrote');
    const takenAtMs = await election.takenAtMs('b');
    assert.deepEqual(
      (await election.writesOf('a')).filter((atMs) => atMs > takenAtMs),
      [],
    );
    assert.deepEqual(await election.holder(), { holderIdentity: 'exit-b', leaseTransitions: 1 });
  });

  it('hand over when the leader is killed, after its lease has run out', async () => {
    const election = await Election.create(controlPlane, 'kill', quickTimings);
    const a = election.startOurs('a');
    await a.first('wrote');
    const b = election.startOurs('b');
    await election.isSeen(b, 'a');
    assertWithin(await handOver(a, 'SIGKILL', b), afterKillMsMax(quickTimings));
  });

  it('write nothing when they go on after a pause that outlasted their lease', async () => {
    await assertPausedWritesNothing('short-pause', quickTimings);
  });

  /** Pauses a leader, which never listens to anything but its gate, until another leads and writes. */
  async function assertPausedWritesNothing(name: string, timings: ElectionTimings): Promise<void> {
    const election = await Election.create(controlPlane, name, timings);
    const a = election.startOurs('a', 'never ends');
    await a.first('wrote');
    const b = election.startOurs('b');
    await election.isSeen(b, 'a');
    a.send('SIGSTOP');
    const pausedAtMs = systemClock.now();
    await b.first('wrote', { withinMs: afterKillMsMax(timings) });
    const pauseMs = timings.leaseDurationMs * 2;
    await eventually(() => systemClock.now() - pausedAtMs >= pauseMs, { withinMs: pauseMs });
    a.send('SIGCONT');
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

  describe('beside one of client-go', () => {
    before(function () {
      if (file !== undefined) return;
      assert.notEqual(systemEnvironment()['REQUIRE_CONTROL_PLANE'], '1', 'there is no Go');
      this['skipReason'] = 'no Go';
      this.skip();
    });

    it('take over from it when it is killed or gives the Lease back, and it from them', async () => {
      assert.ok(file !== undefined);
      const election = await Election.create(controlPlane, 'upstream', quickTimings);
      const limitMs = afterKillMsMax(quickTimings);
      const upstream1 = election.startUpstream('upstream1', { file, release: 'never' });
      await upstream1.first('leading');
      const ours1 = election.startOurs('ours1');
      await election.isSeen(ours1, 'upstream1');
      assertWithin(await handOver(upstream1, 'SIGKILL', ours1), limitMs);

      const upstream2 = election.startUpstream('upstream2', { file, release: 'on exit' });
      await election.isSeen(upstream2, 'ours1');
      assertWithin(await handOver(ours1, 'SIGKILL', upstream2), limitMs);

      const ours2 = election.startOurs('ours2');
      await election.isSeen(ours2, 'upstream2');
      assertWithin(await handOver(upstream2, 'SIGTERM', ours2), afterReleaseMsMax);

      const upstream3 = election.startUpstream('upstream3', { file, release: 'never' });
      await election.isSeen(upstream3, 'ours2');
      const releaseMsMax = afterReleaseToUpstreamMsMax(quickTimings);
      assertWithin(await handOver(ours2, 'SIGTERM', upstream3), releaseMsMax);
      assert.equal((await election.holder()).leaseTransitions, 4);
    });
  });

  /** Takes over from client-go's leader when it is killed, and hands over to another. */
  async function assertTakeover(elector: string | undefined): Promise<void> {
    if (elector === undefined) return;
    const timings = upstreamTimings;
    const election = await Election.create(controlPlane, 'cloud-controller-manager', timings);
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

  // In a group of its own, so that it comes last and has least to wait for.
  describe("in upstream's times", () => {
    it('write nothing after 30 s of pause, and follow a client-go that was killed', () =>
      slowScenes);
  });
});

/** A cold build on two busy cores. */
const buildMsMax = 20 * 60_000;
