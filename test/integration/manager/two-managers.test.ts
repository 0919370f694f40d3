/**
 * Two managers at a time on one Lease: one is killed and one is paused in the middle of 500
 * initialisations, and the one that is left finishes. Each talks through a proxy of its own, which
 * knows what it wrote and when.
 */
import assert from 'node:assert/strict';
import { Limiter, systemClock, withDeadline } from '@tandem/runtime';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from './inventory.ts';
import { type ManagerProcess, quickLease } from './manager-process.ts';
import type { Scenario } from './scenario.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const nodeCount = 500;

/** Which of its writes to nodes a manager is stopped at: all of them together make a thousand. */
const middle = 60;

/** How long a manager may take to get there, on a busy machine. */
const patience = { clock: systemClock, limitMs: 60_000 };

/** In upstream's proportions, and quick. */
const timings = { leaseDurationMs: 3_000, retryPeriodMs: 400 };

describe('two managers', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  interface Candidate {
    readonly proxy: CuttingProxy;
    readonly manager: ManagerProcess;
  }

  async function campaign(scenario: Scenario): Promise<Candidate> {
    const proxy = await scenario.proxy();
    return { proxy, manager: await scenario.start({ through: proxy, flags: quickLease }) };
  }

  /** Resolves with the manager when it sends its nth write to a node, which goes its way. */
  function atNodeWrite(candidate: Candidate, nth: number): Promise<Candidate> {
    const { promise, resolve } = Promise.withResolvers<Candidate>();
    candidate.proxy.interfere({
      on: isNodeWrite,
      nth,
      when: 'before',
      act(): 'pass' {
        resolve(candidate);
        return 'pass';
      },
    });
    return promise;
  }

  it('initialise 500 nodes although one is killed and one paused, and none writes without the Lease', async () => {
    const names = Array.from({ length: nodeCount }, (_, index) => `many-${index}`);
    await using scenario = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    const few = new Limiter({ concurrency: 16 });
    await Promise.all(names.map((name) => few.run(() => scenario.kubelet({ name }).register())));

    const first = await campaign(scenario);
    const firstWorks = atNodeWrite(first, middle);
    await scenario.until(() => hasLeaseWrite(first));
    const second = await campaign(scenario);
    const secondWorks = atNodeWrite(second, middle);
    // On a machine that is too busy to renew the Lease in time they may have changed places.
    const killed = await withDeadline(patience, () => Promise.race([firstWorks, secondWorks]));
    await killed.manager.kill();
    const left = killed === first ? secondWorks : firstWorks;
    const paused = await withDeadline(patience, () => left);
    paused.manager.signal('SIGSTOP');
    const pausedAtMs = systemClock.now();
    assert.ok(
      names.some((name) => hasTaint(scenario.node(name))),
      'all was done too early',
    );

    const third = await campaign(scenario);
    await scenario.untilInitialised(names, 60_000);
    await scenario.until(() => systemClock.now() - pausedAtMs > 2 * timings.leaseDurationMs);
    paused.manager.signal('SIGCONT');
    // It wakes up as what it is by now: a standby.
    await paused.manager.says(/Lost the Lease/);
    paused.manager.assertRunning();

    for (const [index, name] of names.entries()) {
      const { addresses } = aMachine(name, index + 1);
      assert.deepEqual(
        ipsOf(scenario.node(name)),
        addresses.map(({ address }) => address),
      );
    }
    assertOnlyHolders([first, second, third]);
    assertEachOnce([first, second, third]);
    third.manager.assertRunning();
  });

  it('hand over at once when the one that leads is asked to end', async () => {
    await using scenario = await open({ machines: [aMachine('handed-over', 1)] });
    const leader = await campaign(scenario);
    await scenario.until(() => hasLeaseWrite(leader));
    const standby = await campaign(scenario);
    await standby.manager.says(/standby/);
    assert.deepEqual(await leader.manager.stop(), { code: 0, signal: null });
    await scenario.register({ name: 'handed-over' });
    await scenario.untilInitialised(['handed-over']);
    assert.ok(takenAtMs(standby) > 0);
    assertNoneAfter(leader, takenAtMs(standby));
  });
});

const leases = '/apis/coordination.k8s.io/';

function isNodeWrite({ kind, path }: Exchange): boolean {
  return kind === 'write' && path.startsWith('/api/v1/nodes/');
}

function isLeaseWrite({ kind, path, status = 0 }: Exchange): boolean {
  return kind === 'write' && path.startsWith(leases) && status >= 200 && status < 300;
}

function hasLeaseWrite({ proxy }: { readonly proxy: CuttingProxy }): boolean {
  return proxy.exchanges.some(isLeaseWrite);
}

/** When the API server was asked for the Lease, and gave it. */
function takenAtMs({ proxy }: { readonly proxy: CuttingProxy }): number {
  const taken = proxy.exchanges.find(isLeaseWrite);
  assert.ok(taken !== undefined, 'it never led');
  return taken.receivedAtMs;
}

/** A manager whose Lease another one took writes nothing more: no node, no event, no Lease. */
function assertNoneAfter({ proxy }: { readonly proxy: CuttingProxy }, atMs: number): void {
  const late = proxy.writes.filter(
    ({ receivedAtMs, path }) => receivedAtMs > atMs && !path.startsWith(leases),
  );
  assert.deepEqual(late, []);
}

/** At no moment did anybody write to a node or of one who was not the last to take or renew the Lease. */
function assertOnlyHolders(candidates: readonly { readonly proxy: CuttingProxy }[]): void {
  const all = candidates
    .flatMap(({ proxy }, who) => proxy.writes.map((write) => ({ who, write })))
    .toSorted((a, b) => a.write.receivedAtMs - b.write.receivedAtMs);
  let holder: number | undefined;
  const strangers: string[] = [];
  for (const { who, write } of all) {
    if (isLeaseWrite(write)) holder = who;
    else if (!write.path.startsWith(leases) && who !== holder) {
      strangers.push(`manager ${who} wrote ${write.path} in the term of ${holder}`);
    }
  }
  assert.deepEqual(strangers, []);
}

/** No node is initialised twice: the end of a taint is written once. */
function assertEachOnce(candidates: readonly { readonly proxy: CuttingProxy }[]): void {
  const ends = candidates
    .flatMap(({ proxy }) => proxy.writes)
    .filter(({ path, status }) => /^\/api\/v1\/nodes\/[^/]+$/.test(path) && status === 200)
    .map(({ path }) => path);
  assert.equal(new Set(ends).size, ends.length, 'a node was initialised twice');
}
