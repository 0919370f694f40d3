/**
 * Tests one or two electors on a server in virtual time: what they write, when they lead, and in which
 * order they stop.
 */
import assert from 'node:assert/strict';
import { CcmError, createLogger, createMetrics, sleep } from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import {
  type ElectionCallbacks,
  Elector,
  type ElectorOptions,
  type Leadership,
} from './elector.ts';
import { type Connection, LeaseServer, smooth } from './lease-server.fixture.ts';
import { Machine } from './machine.fixture.ts';

const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);

const expired = { predecessor: 'expired', lastWriteMs: 12_000 } as const;

function predecessorIn({ predecessor, lastWriteMs }: Leadership): Omit<Leadership, 'sinceMs'> {
  return { predecessor, lastWriteMs };
}

describe('an elector', () => {
  let clock: VirtualClock;
  let server: LeaseServer;
  let candidates: Candidate[];

  beforeEach(() => {
    clock = virtualClock({ startMs });
    server = new LeaseServer(clock);
    candidates = [];
  });

  // Every elector that a test left running stops, and leaves no timer behind.
  afterEach(async () => {
    for (const { stop } of candidates) stop.abort();
    await clock.advance(60_000);
    assert.equal(clock.pending, 0);
  });

  interface Candidate {
    readonly elector: Elector;
    readonly machine: Machine;
    readonly stop: AbortController;
    readonly metrics: ElectorOptions['metrics'];
    /** Its callbacks and its end, with the state of its gate. */
    readonly story: string[];
    /** What it learned about the previous leader at the start of each term. */
    readonly leaderships: readonly Leadership[];
  }

  /** Starts an elector. By default, its work ends as soon as its signal aborts. */
  function start(
    identity: string,
    options: Partial<ElectorOptions> & {
      connection?: Connection;
      work?: ElectionCallbacks['onStartedLeading'];
      mayRelease?: NonNullable<ElectionCallbacks['mayRelease']>;
    } = {},
  ): Candidate {
    const { connection, work = untilAborted, mayRelease, ...others } = options;
    const leaderships: Leadership[] = [];
    const machine = new Machine(clock);
    const metrics = createMetrics();
    const stop = new AbortController();
    const story: string[] = [];
    const elector = new Elector({
      client: server.connect({
        clock: machine,
        deliver: (callback) => machine.deliver(callback),
        ...connection,
      }),
      clock: machine,
      random: seededRandom(identity),
      logger: createLogger({ clock, destination: { write: () => undefined } }),
      metrics,
      identity,
      ...others,
    });
    const note = (what: string): void => {
      story.push(`${what}, gate ${elector.writeGate() === undefined ? 'open' : 'closed'}`);
    };
    void elector
      .run(stop.signal, {
        onStartedLeading: async (leading, leadership) => {
          note('started');
          leaderships.push(leadership);
          await work(leading, leadership);
        },
        ...(mayRelease === undefined ? {} : { mayRelease }),
        onStoppedLeading: () => note('stopped'),
        onNewLeader: (leader) => story.push(`saw ${leader}`),
      })
      .then(
        (end) => story.push(`ended ${end}`),
        (err: unknown) => story.push(`failed: ${String(err)}`),
      );
    const candidate = { elector, machine, stop, metrics, story, leaderships };
    candidates.push(candidate);
    return candidate;
  }

  const untilAborted = (leading: AbortSignal): Promise<void> =>
    new Promise((resolve) => leading.addEventListener('abort', () => resolve()));

  const isLeading = ({ elector }: Candidate): boolean => elector.writeGate() === undefined;
  const stopped = { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4 };
  const foreign = {
    holderIdentity: 'another_1',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
    leaseTransitions: 4,
  };

  describe('on the wire', () => {
    it('creates a missing Lease, with six fractional digits of a second', async () => {
      start('a_1');
      await clock.advance(0);
      assert.deepEqual(server.lease?.spec, {
        holderIdentity: 'a_1',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-02T03:04:05.000000Z',
        renewTime: '2026-01-02T03:04:05.000000Z',
        leaseTransitions: 0,
      });
    });

    it('renews every retry period with one write each, keeping acquireTime and transitions', async () => {
      start('a_1');
      await clock.advance(6_000);
      assert.deepEqual(server.calls, [
        'get 404',
        'create 201',
        'update 200',
        'update 200',
        'update 200',
      ]);
      assert.deepEqual(server.lease?.spec, {
        holderIdentity: 'a_1',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-02T03:04:05.000000Z',
        renewTime: '2026-01-02T03:04:11.000000Z',
        leaseTransitions: 0,
      });
    });

    it('takes a released Lease with one more transition and keeps fields that are not its own', async () => {
      const rest = {
        strategy: 'OldestEmulationVersion',
        preferredHolder: 'x',
        ofTheFuture: { a: 1 },
      };
      server.put({ ...stopped, ...rest }, { annotations: { kept: 'yes' } });
      const a = start('a_1');
      await clock.advance(0);
      assert.deepEqual(server.lease?.spec, {
        holderIdentity: 'a_1',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-02T03:04:05.000000Z',
        renewTime: '2026-01-02T03:04:05.000000Z',
        leaseTransitions: 5,
        ...rest,
      });
      a.stop.abort();
      await clock.advance(0);
      assert.deepEqual(server.lease?.metadata['annotations'], { kept: 'yes' });
      assert.equal(server.lease?.spec.strategy, 'OldestEmulationVersion');
    });

    it('releases the Lease on exit: no holder, one second, current times, transitions kept', async () => {
      server.put(stopped);
      const a = start('a_1');
      await clock.advance(3_000);
      a.stop.abort();
      await clock.advance(0);
      assert.deepEqual(server.lease?.spec, {
        holderIdentity: '',
        leaseDurationSeconds: 1,
        acquireTime: '2026-01-02T03:04:08.000000Z',
        renewTime: '2026-01-02T03:04:08.000000Z',
        leaseTransitions: 5,
      });
    });

    it('rejects timings that contradict each other', () => {
      const timings = { leaseDurationMs: 10_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
      assert.throws(() => start('a_1', { timings }), {
        code: 'InvalidElectionTimings',
        message: 'The lease duration (10 s) must be longer than the renew deadline (10 s).',
      });
    });
  });

  describe('as a standby', () => {
    it('waits for the duration of the record from when it first saw the record, not from its renewTime', async () => {
      server.put({ ...foreign, leaseDurationSeconds: 40 });
      const a = start('a_1');
      await clock.advance(39_900);
      assert.equal(isLeading(a), false);
      await clock.advance(200);
      assert.equal(isLeading(a), true);
      assert.equal(server.lease?.spec.leaseTransitions, 5);
    });

    it('starts to wait again after any change of the record, and only then', async () => {
      server.put(foreign);
      const a = start('a_1');
      await clock.advance(10_000);
      server.put({ ...foreign, preferredHolder: 'b' });
      await clock.advance(10_000);
      server.put({ ...foreign, preferredHolder: 'b' }, { annotations: { touched: 'yes' } });
      await clock.advance(4_900);
      assert.equal(isLeading(a), false);
      await clock.advance(200);
      assert.equal(isLeading(a), true);
    });

    it('takes a released Lease at once, because it watches', async () => {
      const a = start('a_1');
      await clock.advance(5_000);
      const b = start('b_1');
      await clock.advance(5_000);
      a.stop.abort();
      await clock.advance(1);
      assert.equal(server.lease?.spec.holderIdentity, 'b_1');
      assert.deepEqual([isLeading(a), isLeading(b)], [false, true]);
      assert.deepEqual(b.story, ['saw a_1', 'saw b_1', 'started, gate open']);
    });

    it('takes a released Lease within 2.2 retry periods if it may not watch', async () => {
      server.put(foreign);
      const a = start('a_1', { connection: { watch: 'forbidden' } });
      await clock.advance(5_000);
      server.put(stopped);
      await clock.advance(4_400);
      assert.equal(isLeading(a), true);
    });

    it('takes a deleted Lease only when its last record has expired', async () => {
      server.put(foreign);
      const a = start('a_1');
      await clock.advance(1_000);
      server.delete();
      await clock.advance(13_900);
      assert.equal(server.lease, undefined);
      await clock.advance(200);
      assert.equal(isLeading(a), true);
    });

    it('stays standby if another elector was faster', async () => {
      server.put(stopped);
      const plan = (): typeof smooth => ({ ...smooth, answerMs: 50 });
      const a = start('a_1', { connection: { plan } });
      await clock.advance(60);
      server.put(foreign);
      await clock.advance(10_000);
      assert.equal(isLeading(a), false);
      assert.ok(server.calls.includes('update 409'));
      assert.ok(a.story.includes('saw another_1'));
    });

    it('leads if its takeover was stored but the answer was lost', async () => {
      server.put(stopped);
      let hasLost = false;
      const plan: Connection['plan'] = ({ verb }) => {
        if (verb !== 'update' || hasLost) return smooth;
        hasLost = true;
        return { ...smooth, fault: 'answer lost' };
      };
      const a = start('a_1', { connection: { plan } });
      await clock.advance(12_000);
      assert.equal(isLeading(a), true);
      assert.equal(server.lease?.spec.leaseTransitions, 5);
    });

    it('releases its Lease on exit even if it won the Lease without an answer', async () => {
      server.put(stopped);
      const plan: Connection['plan'] = ({ verb }) =>
        verb === 'update' && server.lease?.spec.holderIdentity === ''
          ? { ...smooth, fault: 'answer lost' }
          : smooth;
      const a = start('a_1', { connection: { plan } });
      await clock.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      a.stop.abort();
      await clock.advance(0);
      assert.equal(server.lease?.spec.holderIdentity, '');
      assert.deepEqual(a.story, ['saw a_1', 'ended stopped']);
    });

    for (const { title, before, predecessor, lastWriteMs } of [
      { title: 'there was no Lease', before: undefined, predecessor: 'none', lastWriteMs: 0 },
      { title: 'the Lease was released', before: stopped, predecessor: 'released', lastWriteMs: 0 },
      {
        title: 'the Lease had expired',
        before: foreign,
        predecessor: 'expired',
        lastWriteMs: 12_000,
      },
    ]) {
      it(`knows how long writes of its predecessor may still arrive if ${title}`, async () => {
        if (before !== undefined) server.put(before);
        const { leaderships } = start('a_1');
        await clock.advance(20_000);
        assert.deepEqual(leaderships.map(predecessorIn), [{ predecessor, lastWriteMs }]);
        // Not before the record of the holder has expired.
        assert.ok((leaderships[0]?.sinceMs ?? 0) >= (before === foreign ? 15_000 : 0));
      });
    }

    it('treats a deleted Lease as expired if it saw a holder', async () => {
      server.put(foreign);
      const { leaderships } = start('a_1');
      await clock.advance(1_000);
      server.delete();
      await clock.advance(20_000);
      assert.deepEqual(leaderships[0]?.predecessor, 'expired');
    });

    it('keeps trying while the server fails', async () => {
      const plan = (): typeof smooth => ({ ...smooth, fault: 'refused' as const });
      const a = start('a_1', { connection: { plan, watch: 'forbidden' } });
      await clock.advance(60_000);
      assert.deepEqual(a.story, []);
      assert.equal(a.elector.status().isHealthy, true);
    });
  });

  describe('as a leader', () => {
    /** Starts a leader whose calls fail once it leads. */
    async function startFailing(fault: typeof smooth.fault): Promise<Candidate> {
      let isFailing = false;
      const plan = (): typeof smooth => ({ ...smooth, fault: isFailing ? fault : 'none' });
      const a = start('a_1', { connection: { plan } });
      await clock.advance(4_000);
      isFailing = true;
      return a;
    }

    const faults = ['request lost', 'answer lost', 'refused', 'failed after effect'] as const;
    for (const fault of faults) {
      it(`stops at the renew deadline when every call is "${fault}"`, async () => {
        const a = await startFailing(fault);
        await clock.advance(9_999);
        assert.equal(isLeading(a), true);
        await clock.advance(1);
        assert.equal(isLeading(a), false);
        assert.deepEqual(a.story, [
          'saw a_1',
          'started, gate open',
          'stopped, gate closed',
          'ended lost',
        ]);
      });
    }

    it('counts the renew deadline from the sending of a renewal, not from its answer', async () => {
      const holds: number[] = [];
      const plan: Connection['plan'] = ({ verb }) => {
        if (verb !== 'update') return smooth;
        holds.push(clock.monotonic());
        return holds.length === 1
          ? { ...smooth, answerMs: 4_000 }
          : { ...smooth, fault: 'refused' };
      };
      const a = start('a_1', { connection: { plan } });
      await clock.advance(2_000 + 9_999);
      assert.equal(isLeading(a), true);
      await clock.advance(1);
      assert.equal(isLeading(a), false);
      assert.equal(holds[0], 2_000);
    });

    it('reads back after a lost answer and continues to lead', async () => {
      let updates = 0;
      const plan: Connection['plan'] = ({ verb }) => {
        if (verb === 'update') updates += 1;
        return verb === 'update' && updates === 2 ? { ...smooth, fault: 'answer lost' } : smooth;
      };
      const a = start('a_1', { connection: { plan } });
      await clock.advance(30_000);
      assert.deepEqual(a.story, ['saw a_1', 'started, gate open']);
      assert.ok(server.calls.join(', ').includes('update 200, get 200, update 200'));
      assert.match(
        await a.metrics.render(),
        /leader_election_slowpath_total\{name="cloud-controller-manager"\} 1/,
      );
    });

    it('continues to lead if another client annotates the Lease', async () => {
      const a = start('a_1');
      await clock.advance(3_000);
      server.put(server.lease?.spec ?? {}, { annotations: { touched: 'yes' } });
      await clock.advance(30_000);
      assert.equal(isLeading(a), true);
      assert.deepEqual(server.lease?.metadata['annotations'], { touched: 'yes' });
    });

    it('creates a deleted Lease again', async () => {
      const a = start('a_1');
      await clock.advance(3_000);
      server.delete();
      await clock.advance(2_000);
      assert.equal(isLeading(a), true);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
    });

    it('stops if another elector has taken the Lease, and does not release that Lease', async () => {
      const a = start('a_1');
      await clock.advance(3_000);
      server.put(foreign);
      await clock.advance(2_000);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'saw another_1', 'ended lost']);
      assert.equal(server.lease?.spec.holderIdentity, 'another_1');
    });

    it('cannot write after a pause beyond the deadline, before any timer fired', async () => {
      const a = start('a_1');
      await clock.advance(3_000);
      a.machine.pause();
      await clock.advance(30_000);
      assert.equal(isLeading(a), false);
      const callsBefore = server.calls.length;
      a.machine.resume();
      await clock.advance(10);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'ended lost']);
      assert.equal(server.calls.length, callsBefore);
    });

    it('writes nothing after a suspension until it has renewed', async () => {
      const a = start('a_1');
      await clock.advance(3_000);
      a.machine.suspend();
      await clock.advance(30_000);
      a.machine.resume();
      assert.match(String(a.elector.writeGate()), /wall clock jumped/);
      await clock.advance(2_000);
      assert.equal(isLeading(a), true);
    });

    for (const byMs of [-3_600_000, -5_001, 5_001, 3_600_000]) {
      it(`writes nothing after a jump of the wall clock by ${byMs} ms until it has renewed`, async () => {
        const a = start('a_1');
        await clock.advance(3_000);
        a.machine.jumpWallClock(byMs);
        assert.match(String(a.elector.writeGate()), /wall clock jumped/);
        await clock.advance(1_000);
        assert.equal(isLeading(a), true);
        assert.deepEqual(a.story, ['saw a_1', 'started, gate open']);
      });
    }

    it('aborts its work, waits for its end, and only then releases the Lease', async () => {
      const lasts: string[] = [];
      const a = start('a_1', {
        work: async (leading) => {
          await untilAborted(leading);
          await sleep(clock, 3_000);
          lasts.push(`gate ${a.elector.writeGate() === undefined ? 'open' : 'closed'}`);
        },
      });
      await clock.advance(3_000);
      a.stop.abort();
      await clock.advance(2_999);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await clock.advance(1);
      assert.deepEqual(lasts, ['gate open']);
      assert.equal(server.lease?.spec.holderIdentity, '');
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'ended stopped']);
    });

    it('closes the gate for work that does not end, and releases the Lease when the last write has ended', async () => {
      const a = start('a_1', { work: () => sleep(clock, 50_000) });
      await clock.advance(3_000);
      a.stop.abort();
      await clock.advance(4_999);
      assert.equal(isLeading(a), true);
      await clock.advance(1);
      assert.equal(isLeading(a), false);
      await clock.advance(a.elector.writeLimitMs - 1);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await clock.advance(1);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('releases the Lease and fails if its work fails', async () => {
      const work = async (): Promise<void> => {
        await sleep(clock, 3_000);
        throw new CcmError('no', { code: 'No', retry: 'never', effect: 'none' });
      };
      const a = start('a_1', { work });
      await clock.advance(3_000);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'failed: CcmError: no']);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('leaves the Lease to expire if the outcome of a write is unknown', async () => {
      const a = start('a_1', { mayRelease: () => false });
      const b = start('b_1');
      await clock.advance(3_000);
      a.stop.abort();
      await clock.advance(1_000);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'ended stopped']);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await clock.advance(20_000);
      assert.deepEqual(b.leaderships.map(predecessorIn), [expired]);
    });

    /** For work that must know the outcome of every write of the previous leader. */
    const isSettled: ElectionCallbacks['mayRelease'] = ({ isPredecessorSettled }) =>
      isPredecessorSettled;

    it('by default, releases its Lease at once even if it took over from an expired holder', async () => {
      server.put(foreign);
      const a = start('a_1');
      await clock.advance(16_000);
      a.stop.abort();
      await clock.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('leaves the Lease to expire while the last write of an expired holder may be in flight', async () => {
      server.put(foreign);
      const a = start('a_1', { mayRelease: isSettled });
      await clock.advance(26_000);
      const b = start('b_1');
      a.stop.abort();
      await clock.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await clock.advance(20_000);
      assert.deepEqual(b.leaderships.map(predecessorIn), [expired]);
    });

    it('releases the Lease once the last write of an expired holder has ended', async () => {
      server.put(foreign);
      const a = start('a_1', { mayRelease: isSettled });
      await clock.advance(28_000);
      a.stop.abort();
      await clock.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('does not release a Lease that it won from an expired holder without an answer', async () => {
      server.put(foreign);
      const plan: Connection['plan'] = ({ verb }) =>
        verb === 'update' && server.lease?.spec.holderIdentity === 'another_1'
          ? { ...smooth, fault: 'answer lost' }
          : smooth;
      const a = start('a_1', { connection: { plan }, mayRelease: isSettled });
      await clock.advance(15_500);
      assert.deepEqual(a.leaderships, []);
      a.stop.abort();
      await clock.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
    });

    it('treats itself as an expired predecessor after it has lost the Lease', async () => {
      const fault = { current: smooth };
      const a = start('a_1', { connection: { plan: () => fault.current } });
      await clock.advance(3_000);
      fault.current = { ...smooth, fault: 'request lost' };
      await clock.advance(20_000);
      assert.equal(a.story.at(-1), 'ended lost');
      fault.current = smooth;
      const again: Leadership[] = [];
      void a.elector.run(a.stop.signal, {
        onStartedLeading: async (leading, leadership) => {
          again.push(leadership);
          await untilAborted(leading);
        },
      });
      await clock.advance(20_000);
      assert.deepEqual(again.map(predecessorIn), [expired]);
    });

    it('can campaign again after it has lost', async () => {
      const a = start('a_1');
      await clock.advance(3_000);
      server.put(foreign);
      await clock.advance(2_000);
      const again = a.elector.run(a.stop.signal, { onStartedLeading: untilAborted });
      await clock.advance(15_001);
      assert.equal(isLeading(a), true);
      a.stop.abort();
      await clock.advance(0);
      assert.equal(await again, 'stopped');
    });

    it('shows its role in the metric, and is unhealthy once it hangs', async () => {
      const status = /leader_election_master_status\{name="cloud-controller-manager"\} (\d)/;
      const shown = async (): Promise<string | undefined> =>
        status.exec(await a.metrics.render())?.[1];
      server.put(foreign);
      const a = start('a_1');
      await clock.advance(1_000);
      assert.equal(await shown(), '0');
      assert.deepEqual(a.elector.status(), {
        role: 'standby',
        leader: 'another_1',
        leaseAgeMs: 1_000,
        isHealthy: true,
      });
      server.put(stopped);
      await clock.advance(1_000);
      assert.equal(await shown(), '1');
      a.machine.pause();
      await clock.advance(34_000);
      assert.deepEqual(a.elector.status(), {
        role: 'leader',
        leader: 'a_1',
        leaseAgeMs: 35_000,
        isHealthy: true,
      });
      await clock.advance(1);
      assert.equal(a.elector.status().isHealthy, false);
      a.machine.resume();
      await clock.advance(1);
      assert.equal(await shown(), '0');
    });
  });
});
