/**
 * One elector, or two, on a server in virtual time: what is written, when it leads, and in which order
 * things happen at the end.
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
  let world: VirtualClock;
  let server: LeaseServer;
  let candidates: Candidate[];

  beforeEach(() => {
    world = virtualClock({ startMs });
    server = new LeaseServer(world);
    candidates = [];
  });

  // Whatever a test left running ends, and leaves no timer behind.
  afterEach(async () => {
    for (const { stop } of candidates) stop.abort();
    await world.advance(60_000);
    assert.equal(world.pending, 0);
  });

  interface Candidate {
    readonly elector: Elector;
    readonly machine: Machine;
    readonly stop: AbortController;
    readonly metrics: ElectorOptions['metrics'];
    /** What happened to it, with the state of its gate. */
    readonly story: string[];
    /** What it was told at the start of each term. */
    readonly leaderships: readonly Leadership[];
  }

  /** Starts an elector whose work ends at once when it is told to. */
  function start(
    identity: string,
    options: Partial<ElectorOptions> & {
      connection?: Connection;
      work?: ElectionCallbacks['onStartedLeading'];
      mayRelease?: NonNullable<ElectionCallbacks['mayRelease']>;
    } = {},
  ): Candidate {
    const { connection, work = untilTold, mayRelease, ...others } = options;
    const leaderships: Leadership[] = [];
    const machine = new Machine(world);
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
      logger: createLogger({ clock: world, destination: { write: () => undefined } }),
      metrics,
      identity,
      ...others,
    });
    const tell = (what: string): void => {
      story.push(`${what}, gate ${elector.writeGate() === undefined ? 'open' : 'closed'}`);
    };
    void elector
      .run(stop.signal, {
        onStartedLeading: async (leading, leadership) => {
          tell('started');
          leaderships.push(leadership);
          await work(leading, leadership);
        },
        ...(mayRelease === undefined ? {} : { mayRelease }),
        onStoppedLeading: () => tell('stopped'),
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

  const untilTold = (leading: AbortSignal): Promise<void> =>
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
    it('creates the Lease where there is none, with six digits of a second', async () => {
      start('a_1');
      await world.advance(0);
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
      await world.advance(6_000);
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

    it('takes a released Lease with one more transition and leaves alone what is not its own', async () => {
      const rest = {
        strategy: 'OldestEmulationVersion',
        preferredHolder: 'x',
        ofTheFuture: { a: 1 },
      };
      server.put({ ...stopped, ...rest }, { annotations: { kept: 'yes' } });
      const a = start('a_1');
      await world.advance(0);
      assert.deepEqual(server.lease?.spec, {
        holderIdentity: 'a_1',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-02T03:04:05.000000Z',
        renewTime: '2026-01-02T03:04:05.000000Z',
        leaseTransitions: 5,
        ...rest,
      });
      a.stop.abort();
      await world.advance(0);
      assert.deepEqual(server.lease?.metadata['annotations'], { kept: 'yes' });
      assert.equal(server.lease?.spec.strategy, 'OldestEmulationVersion');
    });

    it('gives the Lease back on exit: no holder, one second, times now, transitions kept', async () => {
      server.put(stopped);
      const a = start('a_1');
      await world.advance(3_000);
      a.stop.abort();
      await world.advance(0);
      assert.deepEqual(server.lease?.spec, {
        holderIdentity: '',
        leaseDurationSeconds: 1,
        acquireTime: '2026-01-02T03:04:08.000000Z',
        renewTime: '2026-01-02T03:04:08.000000Z',
        leaseTransitions: 5,
      });
    });

    it('refuses timings that cannot work', () => {
      const timings = { leaseDurationMs: 10_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
      assert.throws(() => start('a_1', { timings }), {
        code: 'InvalidElectionTimings',
        message: 'The lease duration (10 s) must be longer than the renew deadline (10 s).',
      });
    });
  });

  describe('as a standby', () => {
    it('waits for the duration of the record from when it saw it, not from what it says', async () => {
      server.put({ ...foreign, leaseDurationSeconds: 40 });
      const a = start('a_1');
      await world.advance(39_900);
      assert.equal(isLeading(a), false);
      await world.advance(200);
      assert.equal(isLeading(a), true);
      assert.equal(server.lease?.spec.leaseTransitions, 5);
    });

    it('waits anew after any change of the record, and only then', async () => {
      server.put(foreign);
      const a = start('a_1');
      await world.advance(10_000);
      server.put({ ...foreign, preferredHolder: 'b' });
      await world.advance(10_000);
      server.put({ ...foreign, preferredHolder: 'b' }, { annotations: { touched: 'yes' } });
      await world.advance(4_900);
      assert.equal(isLeading(a), false);
      await world.advance(200);
      assert.equal(isLeading(a), true);
    });

    it('takes a released Lease at once, because it watches', async () => {
      const a = start('a_1');
      await world.advance(5_000);
      const b = start('b_1');
      await world.advance(5_000);
      a.stop.abort();
      await world.advance(1);
      assert.equal(server.lease?.spec.holderIdentity, 'b_1');
      assert.deepEqual([isLeading(a), isLeading(b)], [false, true]);
      assert.deepEqual(b.story, ['saw a_1', 'saw b_1', 'started, gate open']);
    });

    it('takes a released Lease within 2.2 retry periods where it may not watch', async () => {
      server.put(foreign);
      const a = start('a_1', { connection: { watch: 'forbidden' } });
      await world.advance(5_000);
      server.put(stopped);
      await world.advance(4_400);
      assert.equal(isLeading(a), true);
    });

    it('takes a Lease that was deleted only when its last record has run out', async () => {
      server.put(foreign);
      const a = start('a_1');
      await world.advance(1_000);
      server.delete();
      await world.advance(13_900);
      assert.equal(server.lease, undefined);
      await world.advance(200);
      assert.equal(isLeading(a), true);
    });

    it('lets another win who was faster, and watches that one', async () => {
      server.put(stopped);
      const plan = (): typeof smooth => ({ ...smooth, answerMs: 50 });
      const a = start('a_1', { connection: { plan } });
      await world.advance(60);
      server.put(foreign);
      await world.advance(10_000);
      assert.equal(isLeading(a), false);
      assert.ok(server.calls.includes('update 409'));
      assert.ok(a.story.includes('saw another_1'));
    });

    it('leads when the answer to its takeover was lost but not the takeover', async () => {
      server.put(stopped);
      let hasLost = false;
      const plan: Connection['plan'] = ({ verb }) => {
        if (verb !== 'update' || hasLost) return smooth;
        hasLost = true;
        return { ...smooth, fault: 'answer lost' };
      };
      const a = start('a_1', { connection: { plan } });
      await world.advance(12_000);
      assert.equal(isLeading(a), true);
      assert.equal(server.lease?.spec.leaseTransitions, 5);
    });

    it('leaves nothing held that it won unheard before it was stopped', async () => {
      server.put(stopped);
      const plan: Connection['plan'] = ({ verb }) =>
        verb === 'update' && server.lease?.spec.holderIdentity === ''
          ? { ...smooth, fault: 'answer lost' }
          : smooth;
      const a = start('a_1', { connection: { plan } });
      await world.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      a.stop.abort();
      await world.advance(0);
      assert.equal(server.lease?.spec.holderIdentity, '');
      assert.deepEqual(a.story, ['saw a_1', 'ended stopped']);
    });

    for (const { title, before, predecessor, lastWriteMs } of [
      { title: 'there was none', before: undefined, predecessor: 'none', lastWriteMs: 0 },
      { title: 'it gave the Lease back', before: stopped, predecessor: 'released', lastWriteMs: 0 },
      { title: 'its Lease expired', before: foreign, predecessor: 'expired', lastWriteMs: 12_000 },
    ]) {
      it(`knows how long writes of its predecessor may still land where ${title}`, async () => {
        if (before !== undefined) server.put(before);
        const { leaderships } = start('a_1');
        await world.advance(20_000);
        assert.deepEqual(leaderships.map(predecessorIn), [{ predecessor, lastWriteMs }]);
        // Not before the holder's time was up.
        assert.ok((leaderships[0]?.sinceMs ?? 0) >= (before === foreign ? 15_000 : 0));
      });
    }

    it('takes a deleted Lease for an expired one where it saw a holder', async () => {
      server.put(foreign);
      const { leaderships } = start('a_1');
      await world.advance(1_000);
      server.delete();
      await world.advance(20_000);
      assert.deepEqual(leaderships[0]?.predecessor, 'expired');
    });

    it('goes on looking while the server fails', async () => {
      const plan = (): typeof smooth => ({ ...smooth, fault: 'refused' as const });
      const a = start('a_1', { connection: { plan, watch: 'forbidden' } });
      await world.advance(60_000);
      assert.deepEqual(a.story, []);
      assert.equal(a.elector.status().isHealthy, true);
    });
  });

  describe('as a leader', () => {
    /** A leader whose calls fail in some way from a moment on. */
    async function startFailing(fault: typeof smooth.fault): Promise<Candidate> {
      let isFailing = false;
      const plan = (): typeof smooth => ({ ...smooth, fault: isFailing ? fault : 'none' });
      const a = start('a_1', { connection: { plan } });
      await world.advance(4_000);
      isFailing = true;
      return a;
    }

    const faults = ['request lost', 'answer lost', 'refused', 'failed after effect'] as const;
    for (const fault of faults) {
      it(`stops at the renew deadline when every call is "${fault}"`, async () => {
        const a = await startFailing(fault);
        await world.advance(9_999);
        assert.equal(isLeading(a), true);
        await world.advance(1);
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
        holds.push(world.monotonic());
        return holds.length === 1
          ? { ...smooth, answerMs: 4_000 }
          : { ...smooth, fault: 'refused' };
      };
      const a = start('a_1', { connection: { plan } });
      await world.advance(2_000 + 9_999);
      assert.equal(isLeading(a), true);
      await world.advance(1);
      assert.equal(isLeading(a), false);
      assert.equal(holds[0], 2_000);
    });

    it('reads back after a lost answer and goes on', async () => {
      let updates = 0;
      const plan: Connection['plan'] = ({ verb }) => {
        if (verb === 'update') updates += 1;
        return verb === 'update' && updates === 2 ? { ...smooth, fault: 'answer lost' } : smooth;
      };
      const a = start('a_1', { connection: { plan } });
      await world.advance(30_000);
      assert.deepEqual(a.story, ['saw a_1', 'started, gate open']);
      assert.ok(server.calls.join(', ').includes('update 200, get 200, update 200'));
      assert.match(
        await a.metrics.render(),
        /leader_election_slowpath_total\{name="cloud-controller-manager"\} 1/,
      );
    });

    it('goes on when somebody annotates the Lease', async () => {
      const a = start('a_1');
      await world.advance(3_000);
      server.put(server.lease?.spec ?? {}, { annotations: { touched: 'yes' } });
      await world.advance(30_000);
      assert.equal(isLeading(a), true);
      assert.deepEqual(server.lease?.metadata['annotations'], { touched: 'yes' });
    });

    it('makes a deleted Lease anew', async () => {
      const a = start('a_1');
      await world.advance(3_000);
      server.delete();
      await world.advance(2_000);
      assert.equal(isLeading(a), true);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
    });

    it('stops when another has taken the Lease, and does not give back what is not its own', async () => {
      const a = start('a_1');
      await world.advance(3_000);
      server.put(foreign);
      await world.advance(2_000);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'saw another_1', 'ended lost']);
      assert.equal(server.lease?.spec.holderIdentity, 'another_1');
    });

    it('cannot write after a pause beyond the deadline, before any timer fired', async () => {
      const a = start('a_1');
      await world.advance(3_000);
      a.machine.pause();
      await world.advance(30_000);
      assert.equal(isLeading(a), false);
      const callsBefore = server.calls.length;
      a.machine.resume();
      await world.advance(10);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'ended lost']);
      assert.equal(server.calls.length, callsBefore);
    });

    it('writes nothing after a suspension until it has renewed', async () => {
      const a = start('a_1');
      await world.advance(3_000);
      a.machine.suspend();
      await world.advance(30_000);
      a.machine.resume();
      assert.match(String(a.elector.writeGate()), /wall clock jumped/);
      await world.advance(2_000);
      assert.equal(isLeading(a), true);
    });

    for (const byMs of [-3_600_000, -5_001, 5_001, 3_600_000]) {
      it(`writes nothing after a jump of the wall clock by ${byMs} ms until it has renewed`, async () => {
        const a = start('a_1');
        await world.advance(3_000);
        a.machine.jumpWallClock(byMs);
        assert.match(String(a.elector.writeGate()), /wall clock jumped/);
        await world.advance(1_000);
        assert.equal(isLeading(a), true);
        assert.deepEqual(a.story, ['saw a_1', 'started, gate open']);
      });
    }

    it('tells its work to stop, waits for it, and only then gives the Lease back', async () => {
      const lasts: string[] = [];
      const a = start('a_1', {
        work: async (leading) => {
          await untilTold(leading);
          await sleep(world, 3_000);
          lasts.push(`gate ${a.elector.writeGate() === undefined ? 'open' : 'closed'}`);
        },
      });
      await world.advance(3_000);
      a.stop.abort();
      await world.advance(2_999);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await world.advance(1);
      assert.deepEqual(lasts, ['gate open']);
      assert.equal(server.lease?.spec.holderIdentity, '');
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'ended stopped']);
    });

    it('shuts out work that does not end, and gives the Lease back when its last write is over', async () => {
      const a = start('a_1', { work: () => sleep(world, 50_000) });
      await world.advance(3_000);
      a.stop.abort();
      await world.advance(4_999);
      assert.equal(isLeading(a), true);
      await world.advance(1);
      assert.equal(isLeading(a), false);
      await world.advance(a.elector.writeLimitMs - 1);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await world.advance(1);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('gives the Lease back and fails when its work fails', async () => {
      const work = async (): Promise<void> => {
        await sleep(world, 3_000);
        throw new CcmError('no', { code: 'No', retry: 'never', effect: 'none' });
      };
      const a = start('a_1', { work });
      await world.advance(3_000);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'failed: CcmError: no']);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('leaves the Lease to expire where the outcome of a write is unknown', async () => {
      const a = start('a_1', { mayRelease: () => false });
      const b = start('b_1');
      await world.advance(3_000);
      a.stop.abort();
      await world.advance(1_000);
      assert.deepEqual(a.story.slice(2), ['stopped, gate closed', 'ended stopped']);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await world.advance(20_000);
      assert.deepEqual(b.leaderships.map(predecessorIn), [expired]);
    });

    /** For work that must know the outcome of every write of the previous leader. */
    const isSettled: ElectionCallbacks['mayRelease'] = ({ isPredecessorSettled }) =>
      isPredecessorSettled;

    it('gives a Lease back at once that it took over, where its work does not mind', async () => {
      server.put(foreign);
      const a = start('a_1');
      await world.advance(16_000);
      a.stop.abort();
      await world.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('leaves the Lease to expire while the last write of an expired holder may be under way', async () => {
      server.put(foreign);
      const a = start('a_1', { mayRelease: isSettled });
      await world.advance(26_000);
      const b = start('b_1');
      a.stop.abort();
      await world.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
      await world.advance(20_000);
      assert.deepEqual(b.leaderships.map(predecessorIn), [expired]);
    });

    it('gives the Lease back once the last write of an expired holder has ended', async () => {
      server.put(foreign);
      const a = start('a_1', { mayRelease: isSettled });
      await world.advance(28_000);
      a.stop.abort();
      await world.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, '');
    });

    it('leaves the Lease to expire that it won unheard from an expired holder', async () => {
      server.put(foreign);
      const plan: Connection['plan'] = ({ verb }) =>
        verb === 'update' && server.lease?.spec.holderIdentity === 'another_1'
          ? { ...smooth, fault: 'answer lost' }
          : smooth;
      const a = start('a_1', { connection: { plan }, mayRelease: isSettled });
      await world.advance(15_500);
      assert.deepEqual(a.leaderships, []);
      a.stop.abort();
      await world.advance(1_000);
      assert.equal(server.lease?.spec.holderIdentity, 'a_1');
    });

    it('follows on itself as on an expired holder after it has lost the Lease', async () => {
      const fault = { current: smooth };
      const a = start('a_1', { connection: { plan: () => fault.current } });
      await world.advance(3_000);
      fault.current = { ...smooth, fault: 'request lost' };
      await world.advance(20_000);
      assert.equal(a.story.at(-1), 'ended lost');
      fault.current = smooth;
      const again: Leadership[] = [];
      void a.elector.run(a.stop.signal, {
        onStartedLeading: async (leading, leadership) => {
          again.push(leadership);
          await untilTold(leading);
        },
      });
      await world.advance(20_000);
      assert.deepEqual(again.map(predecessorIn), [expired]);
    });

    it('can campaign again after it has lost', async () => {
      const a = start('a_1');
      await world.advance(3_000);
      server.put(foreign);
      await world.advance(2_000);
      const again = a.elector.run(a.stop.signal, { onStartedLeading: untilTold });
      await world.advance(15_001);
      assert.equal(isLeading(a), true);
      a.stop.abort();
      await world.advance(0);
      assert.equal(await again, 'stopped');
    });

    it('shows in the metric, and in its health once it hangs', async () => {
      const status = /leader_election_master_status\{name="cloud-controller-manager"\} (\d)/;
      const shown = async (): Promise<string | undefined> =>
        status.exec(await a.metrics.render())?.[1];
      server.put(foreign);
      const a = start('a_1');
      await world.advance(1_000);
      assert.equal(await shown(), '0');
      assert.deepEqual(a.elector.status(), {
        role: 'standby',
        leader: 'another_1',
        leaseAgeMs: 1_000,
        isHealthy: true,
      });
      server.put(stopped);
      await world.advance(1_000);
      assert.equal(await shown(), '1');
      a.machine.pause();
      await world.advance(34_000);
      assert.deepEqual(a.elector.status(), {
        role: 'leader',
        leader: 'a_1',
        leaseAgeMs: 35_000,
        isHealthy: true,
      });
      await world.advance(1);
      assert.equal(a.elector.status().isHealthy, false);
      a.machine.resume();
      await world.advance(1);
      assert.equal(await shown(), '0');
    });
  });
});
