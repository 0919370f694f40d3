/**
 * An API server that goes away and comes back, longer than a Lease lasts: the manager waits, keeps what
 * it knows, and goes on where it was, without being started again.
 */
import assert from 'node:assert/strict';
import { systemClock } from '@tandem/runtime';
import type { ControlPlane } from '../../control-plane/index.ts';
import { aMachine } from './inventory.ts';
import { ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';
import { quickLease } from './manager-process.ts';

/** Longer than the Lease lasts. */
const awayMs = 4_500;

interface Way {
  readonly name: string;
  readonly title: string;
  readonly flags: readonly string[];
  readonly leave: (apiServer: ControlPlane['apiServer']) => Promise<void> | void;
  readonly comeBack: (apiServer: ControlPlane['apiServer']) => Promise<void> | void;
}

const ended: Pick<Way, 'leave' | 'comeBack'> = {
  leave: (apiServer) => apiServer.stop(),
  comeBack: (apiServer) => apiServer.start(),
};
const paused: Pick<Way, 'leave' | 'comeBack'> = {
  leave: (apiServer) => apiServer.pause(),
  comeBack: (apiServer) => apiServer.resume(),
};

const ways: readonly Way[] = [
  {
    name: 'silent',
    title: 'because it answers nothing is outlived by a manager that runs alone',
    flags: ['--leader-elect=false'],
    ...paused,
  },
  {
    name: 'restarted',
    title: 'because it ended and was started again is outlived by a manager that runs alone',
    flags: ['--leader-elect=false'],
    ...ended,
  },
  {
    name: 'elected',
    title: 'is outlived by a manager that led, when nobody else took the Lease meanwhile',
    flags: quickLease,
    ...ended,
  },
];

describe('an API server that is gone for a while', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  for (const { name, title, flags, leave, comeBack } of ways) {
    it(title, async () => {
      const [before, after] = [`${name}-before`, `${name}-after`];
      await using scenario = await open({ machines: [aMachine(before, 1), aMachine(after, 2)] });
      const manager = await scenario.start({ flags });
      await scenario.register({ name: before });
      await scenario.untilInitialised([before]);
      const { apiServer } = scenario.controlPlane;
      const goneAtMs = systemClock.monotonic();
      await leave(apiServer);
      try {
        await scenario.until(() => systemClock.monotonic() - goneAtMs > awayMs);
      } finally {
        await comeBack(apiServer);
      }
      manager.assertRunning();
      await scenario.register({ name: after });
      await scenario.untilInitialised([after]);
      assert.deepEqual(ipsOf(scenario.node(after)), ['10.1.0.2', 'fd00:1::2']);
      assert.deepEqual(ipsOf(scenario.node(before)), ['10.1.0.1', 'fd00:1::1']);
      manager.assertRunning();
    });
  }
});
