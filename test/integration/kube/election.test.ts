/**
 * Electors as processes on a real API server: how soon one follows another that exits or is killed, that
 * a leader which was paused writes nothing more, and that ours and client-go's yield to and take over
 * from each other. The audit log has the last word on who wrote when.
 */
import assert from 'node:assert/strict';
import type { ElectionTimings } from '@tandem/kube/election';
import { systemEnvironment } from '@tandem/runtime';
import { testsAtOnce } from '../../control-plane/index.ts';
import { Election } from './election.ts';
import {
  afterKillMsMax,
  afterReleaseMsMax,
  afterReleaseToUpstreamMsMax,
  assertPausedWritesNothing,
  assertWithin,
  setUpElection,
  type ElectionSetup,
  handOver,
  checkInUpstreamTimes,
} from './election-checks.ts';

/** In upstream's proportions, and quick. */
const quickTimings: ElectionTimings = {
  leaseDurationMs: 3_000,
  renewDeadlineMs: 2_000,
  retryPeriodMs: 400,
};

describe('electors on a real API server', function () {
  this.timeout(120_000);
  let setup: ElectionSetup;

  before(async function () {
    setup = await setUpElection(this);
    // The test that awaits them reports their failure.
    checkInUpstreamTimes(setup).catch(() => {});
  });

  // Each has a Lease of its own. More than two would make each other late.
  const test = testsAtOnce(2);

  test('hand over within 2 s when the leader exits, and no write of its comes after that', async () => {
    using election = await Election.create(setup.controlPlane, 'exit', quickTimings);
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

  test('hand over when the leader is killed, after its lease has run out', async () => {
    using election = await Election.create(setup.controlPlane, 'kill', quickTimings);
    const a = election.startOurs('a');
    await a.first('wrote');
    const b = election.startOurs('b');
    await election.isSeen(b, 'a');
    assertWithin(await handOver(a, 'SIGKILL', b), afterKillMsMax(quickTimings));
  });

  test('write nothing when they continue after a pause that outlasted their lease', async () => {
    await assertPausedWritesNothing(setup.controlPlane, 'short-pause', quickTimings);
  });

  describe('beside one of client-go', () => {
    before(function () {
      if (setup.elector !== undefined) return;
      assert.notEqual(systemEnvironment()['REQUIRE_CONTROL_PLANE'], '1', 'there is no Go');
      this['skipReason'] = 'no Go';
      this.skip();
    });

    it('take over from it when it is killed or gives the Lease back, and it from them', async () => {
      const { controlPlane, elector: file } = setup;
      assert.ok(file !== undefined);
      using election = await Election.create(controlPlane, 'upstream', quickTimings);
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
});
