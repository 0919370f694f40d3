/** The demo with faults and with churn, in virtual time. */
import assert from 'node:assert/strict';
import { createLogger } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { runVirtually } from '../virtual-run.fixture.ts';
import { runChurn } from './churn.ts';
import { DemoCluster } from './demo-cluster.ts';

describe('a demo with faults', () => {
  for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8']) {
    it(`converges as the KEP specifies, seed ${seed}`, async () => {
      const args = ['--once', '--faults', '--nodes', '10', '--seed', seed];
      const { exitCode, output, pending } = await runVirtually(args);
      assert.equal(exitCode, 0, output);
      assert.equal(pending, 0);
    });
  }

  it('takes the same course for the same seed', async () => {
    const args = ['--once', '--faults', '--nodes', '10', '--seed', 'again', '-o', 'json'];
    assert.deepEqual(await runVirtually(args), await runVirtually(args));
  });
});

describe('a demo with churn', () => {
  it('adds machines, and deletes nodes only after their machines', async () => {
    const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
    const logger = createLogger({ clock, destination: { write: () => undefined } });
    const demo = new DemoCluster({
      clock,
      logger,
      seed: 'churn',
      machines: [],
      faults: 'none',
      churn: 'seeded',
    });
    const nodes = demo.cluster.store.collection('nodes');
    let changes = 0;
    demo.onRoutes(() => (changes += 1));
    let created = 0;
    const deleted = new Set<string>();
    nodes.onChange(({ key, before, after }) => {
      if (before === undefined) created++;
      if (after !== undefined) return;
      deleted.add(key);
      assert.equal(demo.cloud.find(key), undefined, `${key} still has its machine`);
    });
    const stop = new AbortController();
    const churn = {
      demo,
      clock,
      random: seededRandom('churn'),
      stack: 'dual',
      firstNumber: 1,
    } as const;
    const running = Promise.all([demo.run(stop.signal), runChurn(churn, stop.signal)]);
    await clock.advance(600_000);
    assert.ok(created > 60, `${created} came`);
    assert.ok(deleted.size > 50, `${deleted.size} went`);
    assert.ok(nodes.size < 20, `${nodes.size} are left`);
    const [routes] = demo.routes();
    assert.ok(changes > 100, `${changes} changes of routes`);
    assert.ok(routes !== undefined && routes.IPv4 > 0 && routes.IPv6 > 0);
    assert.ok(routes.IPv4 <= nodes.size && routes.IPv6 <= nodes.size, JSON.stringify(routes));
    const ready = [...nodes.list()].filter((node) =>
      JSON.stringify(node).includes('"KubeletReady"'),
    );
    const tainted = ready.filter((node) => JSON.stringify(node).includes(notReadyTaint));
    assert.ok(ready.length > 0);
    // A node that has just become Ready may still have it.
    assert.ok(
      tainted.length <= 1,
      `${tainted.length} of ${ready.length} ready nodes have the taint`,
    );
    stop.abort(new Error('enough'));
    await clock.advance(20_000);
    await running;
    assert.equal(clock.pending, 0);
  });
});

const notReadyTaint = 'node.kubernetes.io/not-ready';
