/** What the secure port shows of the manager: its health, its metrics, and what it was told. */
import type { Clock, Logger, Metrics, ProcessUsage } from '@tandem/runtime';
import { goDuration } from './go-duration.ts';
import type { HealthChecks } from './health/index.ts';
import { ProcessMetrics } from './process-metrics/index.ts';
import type { Pages } from './serving/index.ts';
import type { ManagerSettings } from './settings/index.ts';
import { levelOfVerbosity } from './verbosity.ts';
import { kubernetesVersion, version } from './version.ts';

export function statusPages(parts: {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly settings: ManagerSettings;
  readonly flags: ReadonlyMap<string, string>;
  readonly checks: HealthChecks;
  /** Of what runs the program, such as `v24.0.0`. */
  readonly runtimeVersion: string;
  readonly processUsage: ProcessUsage;
}): Pages {
  const { clock, metrics, settings, flags, checks, runtimeVersion } = parts;
  const startedMs = clock.now();
  const startedAtMs = clock.monotonic();
  const verbosity = verbosityOf(parts);
  const ofProcess = new ProcessMetrics(metrics, parts.processUsage);
  return {
    ...verbosity.page,
    ...checks,
    metrics: () => {
      ofProcess.refresh();
      return metrics.render();
    },
    configz: () => configuration(settings),
    flagz: () => verbosity.shownIn(flags),
    statusz: () => ({
      startedMs,
      uptimeMs: clock.monotonic() - startedAtMs,
      binaryVersion: version,
      runtimeVersion,
      emulationVersion: kubernetesVersion,
    }),
  };
}

/** A verbosity that was set while it runs is what the flags show from then on, as with upstream. */
function verbosityOf({ logger }: { readonly logger: Logger }): {
  readonly page: Pick<Pages, 'setVerbosity'>;
  shownIn(flags: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
} {
  let current: string | undefined;
  const setVerbosity = (verbosity: number): void => {
    logger.setLevel?.(levelOfVerbosity(verbosity));
    current = String(verbosity);
    logger.info({ verbosity }, 'Set how much is logged');
  };
  return {
    page: logger.setLevel === undefined ? {} : { setVerbosity },
    shownIn: (flags) => (current === undefined ? flags : new Map([...flags, ['v', current]])),
  };
}

/** Upstream's keys where it has them, and ours beside them under our own group. */
function configuration(settings: ManagerSettings): unknown {
  const { api, cloud, election, nodeController, lifecycle, nodeSettings } = settings;
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = election.timings;
  return {
    'cloudcontrollermanager.config.k8s.io': {
      Generic: {
        Controllers: [...settings.controllers],
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
        NodeMonitorPeriod: goDuration(lifecycle.monitorPeriodMs),
      },
      NodeController: { ConcurrentNodeSyncs: nodeController.workers },
      NodeStatusUpdateFrequency: goDuration(nodeController.refreshPeriodMs),
    },
    'tandem.dev': {
      dryRun: settings.dryRun,
      featureGates: nodeSettings.gates,
      refreshLabels: nodeSettings.refreshLabels,
      nodeIPPolicies: nodeSettings.policies.map(({ name, request }) => ({ name, request })),
      exclusions: nodeSettings.exclusions.length,
      nodeDeletion: {
        grace: goDuration(lifecycle.graceMs),
        minAge: goDuration(lifecycle.minAgeMs),
        brake: brakeOf(lifecycle.brake),
      },
    },
  };
}

/** As the flag takes it: less than nothing is no limit. */
const unlimited = -1;

function brakeOf(brake: ManagerSettings['lifecycle']['brake']): unknown {
  if (brake === undefined) return 'off';
  const { windowMs, ...limits } = brake;
  return { ...limits, window: goDuration(windowMs) };
}
