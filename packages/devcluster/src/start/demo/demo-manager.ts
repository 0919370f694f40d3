/**
 * The manager of the demo: all of the shipped code above the transport, with the flags and the configuration of a
 * real cluster. Only the times of the lifecycle are shorter, so that users see nodes go with their machines.
 */
import type { KubeTransport } from '@tandem/kube/transport';
import { App } from '@tandem/manager/app';
import { parseConfiguration } from '@tandem/manager/config';
import { joinConfiguration, parseCommandLine } from '@tandem/manager/flags';
import type { ManagerSettings } from '@tandem/manager/settings';
import type { Provider } from '@tandem/provider/plug';
import { type Clock, createMetrics, type Logger, type Random, seededIds } from '@tandem/runtime';
import { routedLabels } from '../machines/index.ts';
import { type Pool, readPools } from './pools.ts';

interface ManagerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly transport: KubeTransport;
  readonly provider: Provider;
  readonly churn: Churn;
}

/** Whether machines come and go. */
export type Churn = 'none' | 'seeded';

/** The flags of the manager. The cluster CIDR has room for more nodes than `--nodes` allows. */
function flagsFor(churn: Churn): readonly string[] {
  const flags = [
    '--cloud-provider=simulated',
    '--allocate-node-cidrs',
    '--cluster-cidr=10.64.0.0/11,fd64::/48',
    '--node-deletion-min-age=10s',
    '--node-deletion-grace=5s',
  ];
  // With --churn, many machines go on purpose, so that the brake on deletions would only disturb.
  return churn === 'seeded' ? [...flags, '--node-deletion-brake=off'] : flags;
}

/**
 * The pool has room for one node, so that users see what happens to the second. Nodes with addresses of both
 * families get routes; the others could not have routes to both of their pod CIDRs.
 */
const configuration = `
apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
podCIDRPools:
  - name: small
    cidrs: [10.60.0.0/24, "fd60::/64"]
    selector: {matchLabels: {pool: small}}
routes:
  selector: {matchLabels: {${Object.entries(routedLabels)
    .map(([key, value]) => `${key}: ${value}`)
    .join()}}}
`;

export class DemoManager {
  readonly #app: App;
  readonly #provider: Provider;

  constructor({ clock, random, logger, transport, provider, churn }: ManagerParts) {
    const metrics = createMetrics();
    this.#provider = provider;
    this.#app = new App(
      {
        clock,
        random,
        ids: seededIds(random.fork('ids')),
        logger,
        metrics,
        transport,
        server: 'https://embedded',
        hostname: 'npm-start',
      },
      settingsOf(flagsFor(churn)),
    );
  }

  /** Runs until the signal aborts, and then releases the Lease. */
  async run(signal: AbortSignal): Promise<void> {
    const following = this.#app.follow(signal);
    const [, end] = await Promise.all([following, this.#app.run(this.#provider, signal)]);
    if (end === 'stuck') throw new Error('the manager lost its Lease but did not stop its work');
  }

  pools(): readonly Pool[] {
    return readPools(this.#app.controllerStatus());
  }
}

function settingsOf(args: readonly string[]): ManagerSettings {
  const line = parseCommandLine(args);
  const file = parseConfiguration(configuration, {
    path: 'the configuration of npm start',
    gates: { CloudNodeIPs: true },
  });
  const joined = line.kind === 'run' ? joinConfiguration(line, file) : undefined;
  if (joined === undefined || joined.problems.length > 0) {
    throw new Error(`invalid flags for the embedded manager: ${JSON.stringify(joined?.problems)}`);
  }
  return joined.settings;
}
