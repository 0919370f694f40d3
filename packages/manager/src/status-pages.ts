/** The pages of the manager on the secure port: health, metrics, settings and status. */
import { type Clock, isRecord, type Logger, type Metrics } from '@tandem/runtime';
import { goDuration } from '@tandem/cli/duration';
import type { Pages } from '@tandem/serving';
import type { App } from './app/index.ts';
import type { HealthChecks } from './health/index.ts';
import type { ManagerSettings } from './settings/index.ts';
import { levelOfVerbosity } from './flags/log.ts';
import { kubernetesVersion, version } from './version.ts';
import { viewPages } from './view-pages.ts';

export function statusPages(parts: {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly settings: ManagerSettings;
  readonly flags: ReadonlyMap<string, string>;
  readonly checks: HealthChecks;
  readonly app: Pick<App, 'leaderText' | 'nodeStates' | 'controllerStatus' | 'view'>;
  /** The version of Node.js, such as `v24.0.0`. */
  readonly runtimeVersion: string;
}): Pages {
  const { clock, metrics, settings, flags, checks, app, runtimeVersion } = parts;
  const startedMs = clock.now();
  const startedAtMs = clock.monotonic();
  const verbosity = verbosityOf(parts);
  return {
    ...verbosity.page,
    ...checks,
    metrics: () => metrics.render(),
    lists: viewPages(app),
    configz: () => configuration(settings, flags),
    flagz: () => verbosity.shownIn(flags),
    statusz: () => ({
      startedMs,
      uptimeMs: clock.monotonic() - startedAtMs,
      binaryVersion: version,
      runtimeVersion,
      emulationVersion: kubernetesVersion,
      leader: app.leaderText(),
      nodes: app.nodeStates(),
      sections: app.controllerStatus(),
    }),
  };
}

/** Changes the log level, and remembers it for `/flagz`, which shows the new value as upstream does. */
function verbosityOf({ logger }: { readonly logger: Logger }): {
  readonly page: Pick<Pages, 'setVerbosity'>;
  shownIn(flags: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
} {
  let current: string | undefined;
  const setVerbosity = (verbosity: number): void => {
    logger.setLevel?.(levelOfVerbosity(verbosity));
    current = String(verbosity);
    logger.info({ verbosity }, 'Changed log verbosity');
  };
  return {
    page: logger.setLevel === undefined ? {} : { setVerbosity },
    shownIn: (flags) => (current === undefined ? flags : new Map([...flags, ['v', current]])),
  };
}

/** Returns the configuration with upstream's keys under upstream's group, and our own under ours. */
function configuration(settings: ManagerSettings, flags: ReadonlyMap<string, string>): unknown {
  const { api, cloud, election, addressRules } = settings;
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = election.timings;
  const shown = settings.allControllers.map((controller) => controller.show());
  const upstream = {
    kind: 'CloudControllerManagerConfiguration',
    apiVersion: `${upstreamGroup}/v1alpha1`,
    Generic: {
      Controllers: settings.controllers.map(({ facts }) => facts.name),
      ClientConnection: {
        kubeconfig: api.kubeconfig ?? '',
        qps: api.rate?.perSecond ?? unlimited,
      },
      LeaderElection: {
        leaderElect: election.isEnabled,
        leaseDuration: goDuration(leaseDurationMs),
        renewDeadline: goDuration(renewDeadlineMs),
        retryPeriod: goDuration(retryPeriodMs),
        resourceLock: 'leases',
        resourceName: election.lease.name,
        resourceNamespace: election.lease.namespace,
      },
    },
    KubeCloudShared: {
      CloudProvider: { Name: cloud.provider, CloudConfigFile: cloud.configPath ?? '' },
      ClusterName: cloud.clusterName,
      ClusterCIDR: flags.get('cluster-cidr') ?? '',
    },
  };
  const own = {
    dryRun: settings.dryRun,
    featureGates: addressRules.gates,
    nodeIPPolicies: addressRules.policies.map(({ name, request }) => ({ name, request })),
    exclusions: addressRules.exclusions.length,
  };
  return {
    [upstreamGroup]: merge(upstream, ...shown.map((one) => one.upstream)),
    'tandem.dev': merge(own, ...shown.map((one) => one.own)),
  };
}

type Keys = Readonly<Record<string, unknown>>;

/** Merges two levels of keys, because several controllers have keys below upstream's `KubeCloudShared`. */
function merge(...all: readonly Keys[]): Keys {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of all.flatMap((keys) => Object.entries(keys))) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? { ...before, ...value } : value;
  }
  return merged;
}

const upstreamGroup = 'cloudcontrollermanager.config.k8s.io';

/** The value of the flag that means no limit. */
const unlimited = -1;
