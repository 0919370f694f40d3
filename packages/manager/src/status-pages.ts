/** What the secure port shows of the manager: its health, its metrics, and what it was told. */
import type { Clock, Metrics } from '@tandem/runtime';
import type { HealthChecks } from './health/index.ts';
import type { Pages } from './serving/index.ts';
import type { ManagerSettings } from './settings/index.ts';
import { kubernetesVersion, version } from './version.ts';

export function statusPages(parts: {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly settings: ManagerSettings;
  readonly flags: ReadonlyMap<string, string>;
  readonly checks: HealthChecks;
  /** Of what runs the program, such as `v24.0.0`. */
  readonly runtimeVersion: string;
}): Pages {
  const { clock, metrics, settings, flags, checks, runtimeVersion } = parts;
  const startedMs = clock.now();
  const startedAtMs = clock.monotonic();
  return {
    ...checks,
    metrics: () => metrics.render(),
    configz: () => configuration(settings),
    flagz: () => flags,
    statusz: () => ({
      startedMs,
      uptimeMs: clock.monotonic() - startedAtMs,
      binaryVersion: version,
      runtimeVersion,
      emulationVersion: kubernetesVersion,
    }),
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
        ClientConnection: { kubeconfig: api.kubeconfig ?? '', qps: api.rate?.perSecond ?? 0 },
        LeaderElection: {
          leaderElect: election.isEnabled,
          leaseDuration: seconds(leaseDurationMs),
          renewDeadline: seconds(renewDeadlineMs),
          retryPeriod: seconds(retryPeriodMs),
          resourceLock: 'leases',
          resourceName: election.lease.name,
          resourceNamespace: election.lease.namespace,
        },
      },
      KubeCloudShared: {
        CloudProvider: { Name: cloud.provider, CloudConfigFile: cloud.configPath ?? '' },
        NodeMonitorPeriod: seconds(lifecycle.monitorPeriodMs),
      },
      NodeController: { ConcurrentNodeSyncs: nodeController.workers },
      NodeStatusUpdateFrequency: seconds(nodeController.refreshPeriodMs),
    },
    'tandem.dev': {
      dryRun: settings.dryRun,
      featureGates: nodeSettings.gates,
      refreshLabels: nodeSettings.refreshLabels,
      nodeIPPolicies: nodeSettings.policies.map(({ name, request }) => ({ name, request })),
      exclusions: nodeSettings.exclusions.length,
      nodeDeletion: {
        grace: seconds(lifecycle.graceMs),
        minAge: seconds(lifecycle.minAgeMs),
        brake: lifecycle.brake ?? 'off',
      },
    },
  };
}

function seconds(ms: number): string {
  return `${ms / 1_000}s`;
}
