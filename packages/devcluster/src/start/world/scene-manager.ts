/**
 * The manager of the scene: all of its shipped code above the transport, with the flags that people have.
 * Only the times of the lifecycle are shorter, so that a machine that is gone is seen to go.
 */
import { createInformerMetrics } from '@tandem/kube/informer';
import type { KubeTransport } from '@tandem/kube/transport';
import { App } from '@tandem/manager/app';
import { parseCommandLine } from '@tandem/manager/flags';
import type { ManagerSettings } from '@tandem/manager/settings';
import type { Provider } from '@tandem/provider/plug';
import { type Clock, createMetrics, type Logger, type Random, seededIds } from '@tandem/runtime';

export interface ManagerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly transport: KubeTransport;
  readonly provider: Provider;
}

/** What the manager of the scene is started with. */
export const managerFlags: readonly string[] = [
  '--cloud-provider=simulated',
  '--node-deletion-min-age=10s',
  '--node-deletion-grace=5s',
  // Machines that come and go by the dozen are what somebody asked for here.
  '--node-deletion-brake=off',
];

/** Works until the signal aborts, and then gives its Lease back. */
export async function runManager(parts: ManagerParts, signal: AbortSignal): Promise<void> {
  const { clock, random, logger, transport, provider } = parts;
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
    settingsOf(managerFlags),
  );
  await Promise.all([app.follow(signal), app.run(provider, signal)]);
}

function settingsOf(args: readonly string[]): ManagerSettings {
  const line = parseCommandLine(args);
  if (line.kind !== 'run' || line.problems.length > 0) {
    throw new Error(`the flags of the scene are wrong: ${JSON.stringify(line)}`);
  }
  const { gates, refreshLabels, configFile: _, ...settings } = line.settings;
  return { ...settings, nodeSettings: { policies: [], exclusions: [], gates, refreshLabels } };
}
