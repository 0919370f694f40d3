/**
 * The alerts, declared once: the rule file of Prometheus, the PrometheusRule of the chart and the runbook page are
 * made of this. A manager that stands by shows few metrics, so that an expression takes the largest of all managers.
 */
export interface Alert {
  readonly name: string;
  readonly expr: string;
  /** How long it has to hold. */
  readonly for: string;
  /** `critical`: someone must act now. `warning`: someone should look in working hours. */
  readonly severity: 'critical' | 'warning';
  /** One line, with the labels of the expression as `{{ $labels.x }}`. */
  readonly summary: string;
  /** For the runbook: what it means, and what to do. */
  readonly meaning: string;
  readonly remedy: string;
}

const initialisation: readonly Alert[] = [
  {
    name: 'TandemNodesWaiting',
    expr: 'max by (reason) (tandem_oldest_uninitialized_node_age_seconds{reason!~"paused|not_ours"}) > 600',
    for: '5m',
    severity: 'warning',
    summary:
      'A node has waited {{ $value | humanizeDuration }} to be initialised ({{ $labels.reason }}).',
    meaning:
      'A node still has the uninitialized taint ten minutes after it was created, so that no ordinary pod runs on it. The label `reason` is a [refusal code](../reference/refusals.md), or `pending` if the cloud or the API server has not answered yet.',
    remedy:
      'Find the node with `kubectl get nodes -o "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints[*].key"` and read its events with `kubectl describe node NAME`: each refusal says what to do. With `pending`, look at [TandemCloudErrors](#tandemclouderrors) and at the log of the leader.',
  },
  {
    name: 'TandemNodesRefused',
    expr: 'max by (code) (tandem_refused_nodes) > 0',
    for: '30m',
    severity: 'warning',
    summary: '{{ $value }} nodes are refused with {{ $labels.code }}.',
    meaning:
      'Nodes, or their requests for IP addresses, have been refused for half an hour. A node that was initialised before keeps its addresses; a new one keeps its taint.',
    remedy:
      'The event on each node says what was asked, what the cloud has and what to do. [Why a request or a node is refused](../reference/refusals.md) has every code.',
  },
  {
    name: 'TandemInitialisationSlow',
    expr: 'histogram_quantile(0.9, sum by (le) (rate(node_controller_cloud_provider_taint_removal_delay_seconds_bucket[15m]))) > 120',
    for: '15m',
    severity: 'warning',
    summary: 'One node in ten takes longer than {{ $value | humanizeDuration }} to be initialised.',
    meaning:
      'Nodes are initialised, but late. Tandem itself takes less than a second once the cloud lists the machine.',
    remedy:
      'Compare the time of cloud calls and of API requests on the dashboard. A cloud that lists new machines late delays every node; `--kube-api-qps` limits how many nodes are initialised in a second.',
  },
];

const cloud: readonly Alert[] = [
  {
    name: 'TandemCloudAccessDenied',
    expr: 'max(tandem_cloud_access{result="refused"}) == 1',
    for: '5m',
    severity: 'critical',
    summary: 'The cloud does not accept the credentials of the manager.',
    meaning:
      'The provider tried its permissions and the cloud refused. New nodes are not initialised. Nothing is deleted and no address changes in the meantime.',
    remedy:
      'The log says which call was refused, and with which code. The guides for [AWS](aws.md) and [Azure](azure.md) list the permissions. Access is tried again every minute.',
  },
  {
    name: 'TandemCloudAccessIncomplete',
    expr: 'max(tandem_cloud_access{result="incomplete"}) == 1',
    for: '5m',
    severity: 'warning',
    summary: 'The cloud refuses, or does not have, a part of what the manager needs.',
    meaning:
      'Look-ups of instances work, and something else does not: some nodes get no routes or no zone label, or are not initialised because they register without a providerID.',
    remedy:
      'The log names each problem and what does not work because of it. The guides for [AWS](aws.md) and [Azure](azure.md) list the permissions. Access is tried again every minute.',
  },
  {
    name: 'TandemCloudAccessUnknown',
    expr: 'max(tandem_cloud_access{result="unknown"}) == 1',
    for: '15m',
    severity: 'warning',
    summary: 'The manager cannot find out whether the cloud accepts its credentials.',
    meaning:
      'The check fails before the cloud decides: the cloud, its token service or a proxy does not answer, or the source of the credentials fails. New nodes wait. Nothing is deleted and no address changes in the meantime.',
    remedy:
      'The log has the error. Check the network, the endpoint and the source of the credentials, such as the token file of the pod. Access is tried again every minute.',
  },
  {
    name: 'TandemCloudErrors',
    expr: 'sum by (provider) (rate(tandem_cloud_calls_total{outcome!="answered"}[10m])) / sum by (provider) (rate(tandem_cloud_calls_total[10m])) > 0.2',
    for: '15m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the calls to {{ $labels.provider }} fail.',
    meaning:
      'More than a fifth of the calls to the cloud failed, timed out or were throttled for a quarter of an hour. Nodes keep what they have; new ones wait.',
    remedy:
      'The dashboard shows the outcomes. For `throttled`, see who else uses the quota of the account. For `timed_out` and `failed`, the log has the error of the cloud.',
  },
  {
    name: 'TandemInventoryStale',
    expr: 'max(tandem_static_inventory_is_stale) == 1',
    for: '5m',
    severity: 'warning',
    summary: 'The inventory of the provider static cannot be read; the last good one counts.',
    meaning: 'The file is gone, cannot be read or is not YAML. Changes to it have no effect.',
    remedy:
      'The log names the line. Correct the ConfigMap: the manager reads it again within seconds.',
  },
  {
    name: 'TandemInventoryEntriesRefused',
    expr: 'max(tandem_static_inventory_refused_entries) > 0',
    for: '15m',
    severity: 'warning',
    summary: '{{ $value }} entries of the inventory are refused.',
    meaning:
      'Entries with a mistake are left out, and nodes that they may mean are neither initialised nor deleted. The rest of the file counts.',
    remedy: 'The log names the line of each entry and what is wrong with it.',
  },
];

const lifecycle: readonly Alert[] = [
  {
    name: 'TandemDeletionsHeld',
    expr: 'max(tandem_node_deletion_brake_engaged) == 1',
    for: '1m',
    severity: 'critical',
    summary: 'Too many machines are gone at once, so that no node is deleted.',
    meaning:
      'More nodes lost their machines within the window of `--node-deletion-brake` than it allows. That is more often an outage, or a wrong account or region, than a real loss. The manager deletes none until the number falls or a person releases the brake.',
    remedy:
      'Find out whether the machines are really gone. If they are, annotate the Lease: `kubectl -n kube-system annotate lease cloud-controller-manager tandem.dev/release-deletion-brake=TIME`, where TIME is the end of the permission, such as `2026-11-18T10:00:00Z`. The event `DeletionHeld` on each node names the command.',
  },
];

const podCIDRs: readonly Alert[] = [
  {
    name: 'TandemNodesWithoutPodCIDRs',
    expr: 'max(tandem_pod_cidr_waiting_nodes) > 0',
    for: '10m',
    severity: 'critical',
    summary: '{{ $value }} nodes wait for pod CIDRs.',
    meaning:
      'A pool of pod CIDRs is exhausted or, with `--cidr-allocator-type=CloudAllocator`, the cloud has no block for these nodes that they can use. Pods on these nodes get no addresses.',
    remedy:
      'The event `CIDRNotAvailable` or `DuplicatePodCIDR` on each node says what it waits for. If a pool is exhausted, add a pool with another range and a selector, or free blocks: those of deleted nodes are free once their routes are gone. [Pod CIDRs](pod-cidrs.md) has the steps.',
  },
  {
    name: 'TandemPodCIDRsNearlyExhausted',
    expr: 'max by (pool, range) (tandem_pod_cidr_blocks{state="free"}) / sum by (pool, range) (max by (pool, range, state) (tandem_pod_cidr_blocks)) < 0.1',
    for: '15m',
    severity: 'warning',
    summary:
      '{{ $value | humanizePercentage }} of the blocks of {{ $labels.range }} in pool {{ $labels.pool }} are free.',
    meaning: 'Fewer than a tenth of the blocks of a range are free.',
    remedy:
      'Add a pool before it is empty, or use smaller blocks for new nodes: see [Pod CIDRs](pod-cidrs.md).',
  },
  {
    name: 'TandemPodCIDRProblems',
    expr: 'max by (code) (tandem_pod_cidr_problems) > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} nodes have pod CIDRs with the problem {{ $labels.code }}.',
    meaning:
      'Nodes show pod CIDRs that overlap with those of another node, are outside every pool, lack a family, or differ from the blocks that the cloud assigned. The manager reports them and changes nothing.',
    remedy:
      'The event on each node says which node or range it is about. A pod CIDR cannot be changed on a Node: drain the node, delete the Node and let the kubelet register it again.',
  },
  {
    name: 'TandemSecondAllocator',
    expr: 'max(increase(tandem_foreign_pod_cidrs_total[30m])) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'Another program gave a node its pod CIDRs while this manager allocates.',
    meaning: 'Two allocators can give one block to two nodes, whose pods then share addresses.',
    remedy:
      'Turn `--allocate-node-cidrs` off in kube-controller-manager, or whatever else allocates. [Pod CIDRs](pod-cidrs.md) has the order of the steps.',
  },
];

const routes: readonly Alert[] = [
  {
    name: 'TandemNodesUnrouted',
    expr: 'max(tandem_unrouted_nodes) > 0',
    for: '10m',
    severity: 'critical',
    summary: '{{ $value }} nodes lack a route to their pods.',
    meaning:
      'The cloud has no working route to a pod CIDR of these nodes, so that other nodes do not reach their pods.',
    remedy:
      'The event `FailedToCreateRoute` on each node has the error of the cloud. [Routes](routes.md) lists permissions and limits.',
  },
  {
    name: 'TandemRouteTableNearlyFull',
    expr: 'max by (table, family) (tandem_route_table_usage_ratio) > 0.9',
    for: '15m',
    severity: 'warning',
    summary:
      'Route table {{ $labels.table }} is {{ $value | humanizePercentage }} full ({{ $labels.family }}).',
    meaning: 'New nodes soon get no route.',
    remedy: 'Raise the quota of the table, or remove routes of other programs from it.',
  },
];

const manager: readonly Alert[] = [
  {
    name: 'TandemAbsent',
    expr: 'absent(tandem_informer_objects)',
    for: '5m',
    severity: 'critical',
    summary: 'Prometheus sees no manager.',
    meaning:
      'No manager runs, or Prometheus may not read its metrics. New nodes may stay unusable.',
    remedy:
      'Look at `kubectl -n kube-system get pods -l app.kubernetes.io/name=tandem`. If they run, Prometheus lacks the ClusterRole `tandem:cloud-controller-manager:metrics-reader`: its target page shows 403.',
  },
  {
    name: 'TandemNoLeader',
    expr: 'max(leader_election_master_status and on (instance, job) tandem_informer_objects) == 0',
    for: '3m',
    severity: 'critical',
    summary: 'No manager leads, so that nothing is done.',
    meaning:
      'Managers run, but none holds the Lease. Another cloud-controller-manager may hold it.',
    remedy:
      '`kubectl -n kube-system get lease cloud-controller-manager -o yaml` shows the holder. If there is none, the log says why the Lease cannot be written.',
  },
  {
    name: 'TandemTwoLeaders',
    expr: 'sum by (name) (leader_election_master_status and on (instance, job) tandem_informer_objects) > 1',
    for: '5m',
    severity: 'critical',
    summary: '{{ $value }} managers say that they lead with the Lease {{ $labels.name }}.',
    meaning:
      'Two managers believe that they lead for longer than a scrape can lag. They may write to the same nodes. Managers of two clusters in one Prometheus look the same: add a label for the cluster.',
    remedy: 'Delete one of the pods, keep its log, and compare the clocks of the two machines.',
  },
  {
    name: 'TandemWritesDenied',
    expr: 'min(tandem_node_writes_allowed) == 0 or min(tandem_pod_cidr_writes_allowed) == 0 or min(tandem_network_condition_writes_allowed) == 0',
    for: '5m',
    severity: 'critical',
    summary: 'The API server denies the manager to write to nodes.',
    meaning: 'A permission is missing. Plans are made and cannot be carried out.',
    remedy:
      'Apply the roles of the chart or `manifests/rendered/rbac.yaml` again. The log names the missing rule.',
  },
  {
    name: 'TandemPermissionsMissing',
    expr: 'max by (verb, resource) (tandem_missing_permissions) == 1',
    for: '5m',
    severity: 'warning',
    summary: 'The manager may not {{ $labels.verb }} {{ $labels.resource }}.',
    meaning:
      'The check at the start found a permission missing. The log says what does not work without it.',
    remedy:
      'Apply the roles of the version that runs, and restart the pods: the check is made at the start.',
  },
  {
    name: 'TandemNodeCacheStale',
    expr: 'time() - min(tandem_informer_last_progress_timestamp_seconds{resource="nodes"}) > 300',
    for: '5m',
    severity: 'warning',
    summary: 'A manager has heard nothing of nodes for {{ $value | humanizeDuration }}.',
    meaning:
      'The API server sends bookmarks about once a minute even if nothing changes. The cache may be old.',
    remedy:
      'Look at the API server and at the network between them. `/readyz?verbose` of the manager says what it waits for.',
  },
  {
    name: 'TandemCertificateExpires',
    expr: 'min by (flag) (tandem_credentials_expiry_timestamp_seconds{kind="certificate"}) - time() < 7 * 24 * 3600',
    for: '1h',
    severity: 'warning',
    summary:
      'The client certificate of --{{ $labels.flag }} expires in {{ $value | humanizeDuration }}.',
    meaning:
      'The manager identifies itself to the API server with a certificate that expires within a week. After that the API server refuses every request and the manager stops.',
    remedy:
      'Replace the certificate and its key in the kubeconfig, or the files that it names. The manager reads files again within half a minute, and the kubeconfig itself when a request is refused.',
  },
  {
    name: 'TandemCredentialsNotRefreshed',
    expr: 'max by (source) (increase(tandem_credentials_refresh_failures_total[30m])) > 3',
    for: '5m',
    severity: 'warning',
    summary: 'Credentials for the API server could not be refreshed ({{ $labels.source }}).',
    meaning: 'The old credentials stay in use until they expire. After that the manager stops.',
    remedy: 'The log has the error of the file or of the plug-in.',
  },
];

export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  initialisation,
  cloud,
  lifecycle,
  'pod-cidrs': podCIDRs,
  routes,
  manager,
};

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();
