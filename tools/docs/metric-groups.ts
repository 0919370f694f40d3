/**
 * Every metric of the program, by the part that it tells of. The declarations stand where they are used;
 * a test compares this list with what a running manager registers, and with what the sources declare.
 */
import { cacheLagSeconds } from '@tandem/controllers/loop';
import { clientMetricTable } from '@tandem/kube/client';
import { credentialsExpirySeconds, refreshFailuresTotal } from '@tandem/kube/credentials';
import { electionMetricTable } from '@tandem/kube/election';
import { eventMetricTable } from '@tandem/kube/events';
import { informerMetricTable } from '@tandem/kube/informer';
import { queueMetricTable } from '@tandem/kube/queue';
import { runningManagedControllers } from '@tandem/manager/app';
import { type ControllerDeclaration, controllers } from '@tandem/manager/controllers';
import { eventLoopLagSeconds } from '@tandem/manager/health';
import { clockSkewSeconds, cloudAccess, missingPermissions } from '@tandem/manager/self-check';
import type { AnyMetric } from '@tandem/runtime';
import { healthcheck, healthchecksTotal, servingMetricTable } from '@tandem/serving';
import {
  answersDroppedTotal,
  answersTotal,
  cachedInstances,
  callDurationSeconds,
  callNodes,
  callsTotal,
  noticesTotal,
  questionsTotal,
} from '@tandem/provider/lookup';
import {
  routeCallDurationSeconds,
  routeCallsTotal,
  routeOperationsTotal,
} from '@tandem/provider/routes';
import {
  apiRequestDurationSeconds,
  apiRequestErrors,
  apiThrottledRequestsTotal,
} from '@tandem/provider-aws/metrics';
import { azureMetricDeclarations } from '@tandem/provider-azure/metrics';
import {
  inventoryInstances,
  inventoryIsStale,
  inventoryRefusedEntries,
} from '@tandem/provider-static';

export interface MetricGroup {
  readonly title: string;
  /** What is worth knowing of all of them. */
  readonly about: string;
  readonly metrics: readonly AnyMetric[];
}

export const metricGroups: readonly MetricGroup[] = [
  ...controllerMetricGroups(controllers),
  {
    title: 'Calls to the cloud',
    about: 'The label `provider` is the name that the provider gives itself.',
    metrics: [
      callsTotal,
      callDurationSeconds,
      callNodes,
      answersTotal,
      answersDroppedTotal,
      questionsTotal,
      noticesTotal,
      cachedInstances,
    ],
  },
  {
    title: 'Calls to the route tables of the cloud',
    about: 'Only where the provider has route tables.',
    metrics: [routeCallsTotal, routeCallDurationSeconds, routeOperationsTotal],
  },
  {
    title: 'The provider aws',
    about:
      'Only with `--cloud-provider=aws`. The label `request` is upstream’s word for the action, such as `describe_instance`, and `operation_name` the action itself.',
    metrics: [apiRequestDurationSeconds, apiRequestErrors, apiThrottledRequestsTotal],
  },
  {
    title: 'The provider azure',
    about:
      'Only with `--cloud-provider=azure`. The label `request` is upstream’s word for the call, such as `vmss_list`; one is counted for every page of a list. The label `source` is always empty.',
    metrics: azureMetricDeclarations,
  },
  {
    title: 'The provider static',
    about: 'Only with `--cloud-provider=static`.',
    metrics: [inventoryInstances, inventoryRefusedEntries, inventoryIsStale],
  },
  {
    title: 'The manager',
    about: 'A standby has them too, all but the first.',
    metrics: [
      runningManagedControllers,
      ...Object.values(electionMetricTable),
      eventLoopLagSeconds,
      missingPermissions,
      clockSkewSeconds,
      cloudAccess,
    ],
  },
  {
    title: 'Caches of the cluster',
    about: 'The label `resource` is the plural of what is cached, such as `nodes`.',
    metrics: [...Object.values(informerMetricTable), cacheLagSeconds],
  },
  {
    title: 'Work queues',
    about:
      'The label `name` is `Nodes` for the queue of the cloud-node-controller, as upstream has it, and `events` for the events that wait to be sent, or `events-ACCOUNT` where the controllers have several service accounts. A standby has none of them.',
    metrics: Object.values(queueMetricTable),
  },
  {
    title: 'Events',
    about: 'Only while controllers run: a standby has none of them.',
    metrics: Object.values(eventMetricTable),
  },
  {
    title: 'Requests to the API server',
    about: 'All clients of the program together.',
    metrics: [...Object.values(clientMetricTable), credentialsExpirySeconds, refreshFailuresTotal],
  },
  {
    title: 'The secure port',
    about: 'Unless `--secure-port=0`.',
    metrics: Object.values(servingMetricTable),
  },
  {
    title: 'Health',
    about: 'On `/metrics/slis` alone, as upstream has it.',
    metrics: [healthcheck, healthchecksTotal],
  },
];

export function controllerMetricGroups(
  declarations: readonly ControllerDeclaration[],
): MetricGroup[] {
  const about = 'Only while it runs: a standby has none of them.';
  return declarations.map(({ name: title, metrics }) => ({ title, about, metrics }));
}
