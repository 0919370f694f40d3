/**
 * Two managers at a time on one Lease: one is killed and one is paused in the middle of 500
 * initialisations, and the one that is left finishes. Each talks through a proxy of its own, which
 * knows what it wrote and when.
 */
import assert from 'node:assert/strict';
import { limiter, systemClock } from '@tandem/runtime';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from './inventory.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scene } from './scene.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { useWorld } from './world.ts';

const nodeCount = 500;

/** In upstream's proportions, and quick. */
const timings = { leaseDurationMs: 3_000, retryPeriodMs: 400 };
const quickLease = [
  '--leader-elect-lease-duration=3s',
  '--leader-elect-renew-deadline=2s',
  '--leader-elect-retry-period=400ms',
];

describe('two managers', function () {
  this.timeout(180_000);
  const { open } = useWorld();

  interface Candidate {
    readonly proxy: CuttingProxy;
    readonly manager: ManagerProcess;
  }

  async function campaign(scene: Scene): Promise<Candidate> {
    const proxy = await scene.proxy();
    return { proxy, manager: await scene.start({ through: proxy, flags: quickLease }) };
  }

  /** Resolves when the manager sends its nth write to a node, which goes its way. */
  function atNodeWrite({ proxy }: Candidate, nth: number): Promise<Exchange> {
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    proxy.interfere({
      on: isNodeWrite,
      nth,
      when: 'before',
      act(exchange): 'pass' {
        resolve(exchange);
        return 'pass';
      },
    });
    return promise;
  }

  it('initialise 500 nodes although one is killed and one paused, and none writes without the Lease', async () => {
    const names = Array.from({ length: nodeCount }, (_, index) => `many-${index}`);
    await using scene = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    const few = limiter({ concurrency: 16 });
    await Promise.all(names.map((name) => few.run(() => scene.kubelet({ name }).register())));

    const first = await campaign(scene);
    const hundredth = atNodeWrite(first, 100);
    await scene.until(() => hasLeaseWrite(first));
    const second = await campaign(scene);
    const pausing = atNodeWrite(second, 100);
    await hundredth;
    await first.manager.kill();
    await pausing;
    second.manager.send('SIGSTOP');
    const pausedAtMs = systemClock.now();
    assert.ok(
      names.some((name) => hasTaint(scene.node(name))),
      'all was done too early',
    );

    const third = await campaign(scene);
    await scene.untilInitialised(names, 60_000);
    await scene.until(() => systemClock.now() - pausedAtMs > 2 * timings.leaseDurationMs);
    second.manager.send('SIGCONT');
    // It wakes up as what it is by now: a standby.
    await second.manager.says(/Lost the Lease/);
    second.manager.assertRunning();

    for (const [index, name] of names.entries()) {
      const { addresses } = aMachine(name, index + 1);
      assert.deepEqual(
        ipsOf(scene.node(name)),
        addresses.map(({ address }) => address),
      );
    }
    assertNoneAfter(first, takenAtMs(second));
    assertNoneAfter(second, takenAtMs(third));
    assertEachOnce([first, second, third]);
    third.manager.assertRunning();
  });

  it('hand over at once when the one that leads is asked to end', async () => {
    await using scene = await open({ machines: [aMachine('handed-over', 1)] });
    const leader = await campaign(scene);
    await scene.until(() => hasLeaseWrite(leader));
    const standby = await campaign(scene);
    await standby.manager.says(/standby/);
    assert.deepEqual(await leader.manager.stop(), { code: 0, signal: null });
    await scene.register({ name: 'handed-over' });
    await scene.untilInitialised(['handed-over']);
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

/** No node is initialised twice: the end of a taint is written once. */
function assertEachOnce(candidates: readonly { readonly proxy: CuttingProxy }[]): void {
  const ends = candidates
    .flatMap(({ proxy }) => proxy.writes)
    .filter(({ path, status }) => /^\/api\/v1\/nodes\/[^/]+$/.test(path) && status === 200)
    .map(({ path }) => path);
  assert.equal(new Set(ends).size, ends.length, 'a node was initialised twice');
}
