/**
 * The FlowSchemas of the API server that the requests of the manager match, with the configuration that every cluster
 * starts with. A test compares the table with a real API server, and the README shows it.
 */
interface FlowClaim {
  readonly request: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly flowSchema: string;
  readonly priorityLevel: string;
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

export const flowClaims: readonly FlowClaim[] = [
  {
    request: 'get, create, update of the Lease',
    method: 'GET',
    path: `${leases}/cloud-controller-manager`,
    flowSchema: 'system-leader-election',
    priorityLevel: 'leader-election',
  },
  {
    request: 'watch of the Lease, as a standby',
    method: 'GET',
    path: `${leases}?fieldSelector=metadata.name%3Dcloud-controller-manager&watch=true&timeoutSeconds=1`,
    flowSchema: 'kube-system-service-accounts',
    priorityLevel: 'workload-high',
  },
  {
    request: 'nodes and events',
    method: 'GET',
    path: '/api/v1/nodes?limit=1',
    flowSchema: 'kube-system-service-accounts',
    priorityLevel: 'workload-high',
  },
];
