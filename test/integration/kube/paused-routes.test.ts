/**
 * A leader that is paused while its cloud is slow, on a real API server: the gate of the election stands
 * before every request that changes something in the cloud, also in the middle of a batch. The record of the
 * cloud has the last word.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectionTimings } from '@tandem/kube/election';
import {
  type ControlPlane,
  eventually,
  testsAtOnce,
  sharedControlPlane,
} from '../../control-plane/index.ts';
import { Election } from './election.ts';
import { afterKillMsMax } from './election-checks.ts';

/** In upstream's proportions, and quick. */
const timings: ElectionTimings = {
  leaseDurationMs: 3_000,
  renewDeadlineMs: 2_000,
  retryPeriodMs: 400,
};

describe('a leader that changes routes in a slow cloud', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;
  let folder = '';

  before(async function () {
    controlPlane = await sharedControlPlane(this);
    folder = await mkdtemp(join(tmpdir(), 'tandem-routes-'));
  });
  after(async () => {
    if (folder !== '') await rm(folder, { recursive: true });
  });

  /** How many requests the cloud saw before another held the Lease, and how many after that. */
  const pause = async (
    name: string,
    gate: 'election' | 'none',
  ): Promise<{ before: number; after: number; refused: number }> => {
    const record = join(folder, name);
    using election = await Election.create(controlPlane, name, timings);
    const paused = election.startRouting('a', { record, gate });
    await paused.first('wrote');
    const successor = election.startOurs('b');
    await election.isSeen(successor, 'a');
    const sent = (): number => paused.events.filter(({ event }) => event === 'wrote').length;
    const sentSoFar = sent();
    await eventually(() => sent() > sentSoFar, { withinMs: 5_000 });
    // Between a request and its answer, so that the next thing it does is to ask the gate.
    paused.signal('SIGSTOP');
    await successor.first('wrote', { withinMs: afterKillMsMax(timings) });
    paused.signal('SIGCONT');
    await paused.ended();
    const takenAtMs = await election.takenAtMs('b');
    const sentAtMs = (await readFile(record, 'utf8')).trim().split('\n').map(Number);
    const after = sentAtMs.filter((atMs) => atMs >= takenAtMs).length;
    const refused = paused.events.filter(
      ({ event, atMs }) => event === 'refused' && atMs >= takenAtMs,
    ).length;
    return { before: sentAtMs.length - after, after, refused };
  };

  const test = testsAtOnce(2);

  test('sends nothing more when it continues after a pause that outlasted its lease', async () => {
    const { before, after, refused } = await pause('routes-paused', 'election');
    assert.ok(before > 0);
    assert.equal(after, 0);
    assert.ok(refused > 1, 'it did not try');
  });

  test('would be caught by the record if it ignored the gate', async () => {
    const { before, after } = await pause('routes-ungated', 'none');
    assert.ok(before > 0);
    assert.ok(after > 0, 'the record shows nothing');
  });
});
