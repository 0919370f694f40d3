/**
 * The manager of the scene: all of its shipped code above the transport, with the flags that people have.
 * Only the times of the lifecycle are shorter, so that a machine that is gone is seen to go.
 */
import { createInformerMetrics } from '@tandem/kube/informer';
import type { KubeTransport } from '@tandem/kube/transport';
import { App } from '@tandem/manager/app';
import { noConfiguration } from '@tandem/manager/config';
import { joinConfiguration, parseCommandLine } from '@tandem/manager/flags';
import type { ManagerSettings } from '@tandem/manager/settings';
import type { Provider } from '@tandem/provider/plug';
import { type Clock, createMetrics, type Logger, type Random, seededIds } from '@tandem/runtime';

export interface ManagerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly transport: KubeTransport;
  readonly provider: Provider;
  readonly churn: Churn;
}

/** Whether machines come and go. */
export type Churn = 'none' | 'seeded';

/** What the manager of the scene is started with. */
function flagsFor(churn: Churn): readonly string[] {
  const flags = [
    '--cloud-provider=simulated',
    '--node-deletion-min-age=10s',
    '--node-deletion-grace=5s',
  ];
  // Machines that go by the dozen are what somebody asked for, and no failure to be stopped at.
  return churn === 'seeded' ? [...flags, '--node-deletion-brake=off'] : flags;
}

/** Works until the signal aborts, and then gives its Lease back. */
export async function runManager(parts: ManagerParts, signal: AbortSignal): Promise<void> {
  const { clock, random, logger, transport, provider, churn } = parts;
  const metrics = createMetrics();
  const app = new App(
    {
      clock,
      random,
      ids: seededIds(random.fork('ids')),
      logger,
      metrics,
      informerMetrics: createInformerMetrics(metrics),
      transport,
      server: 'https://embedded',
      hostname: 'npm-start',
    },
    settingsOf(flagsFor(churn)),
  );
  const [, end] = await Promise.all([app.follow(signal), app.run(provider, signal)]);
  if (end === 'stuck') throw new Error('the manager lost its Lease but did not stop its work');
}

function settingsOf(args: readonly string[]): ManagerSettings {
  const line = parseCommandLine(args);
  const joined = line.kind === 'run' ? joinConfiguration(line, noConfiguration) : undefined;
  if (joined === undefined || joined.problems.length > 0) {
    throw new Error(`invalid flags for the embedded manager: ${JSON.stringify(joined?.problems)}`);
  }
  return joined.settings;
}
