/** When each alert fires and when it does not, as series of one sample a minute. */
export interface AlertCase {
  readonly name: string;
  /** When to look. */
  readonly atMinutes: number;
  /** In the notation of promtool: `0x10` is ten times 0 after the first, `0+1x10` counts. */
  readonly series: Readonly<Record<string, string>>;
  /** How many alerts fire then. */
  readonly firing: number;
}

function fires(
  name: string,
  atMinutes: number,
  series: AlertCase['series'],
  firing = 1,
): AlertCase {
  return { name, atMinutes, series, firing };
}

function silent(name: string, atMinutes: number, series: AlertCase['series']): AlertCase {
  return { name, atMinutes, series, firing: 0 };
}

const seen = { 'tandem_informer_objects{resource="nodes",instance="a",job="t"}': '5x120' };
const leader =
  'leader_election_master_status{name="cloud-controller-manager",instance="a",job="t"}';
const standby =
  'leader_election_master_status{name="cloud-controller-manager",instance="b",job="t"}';
const scheduler = (instance: string): string =>
  `leader_election_master_status{name="kube-scheduler",instance="${instance}",job="s"}`;
const seenTwice = {
  ...seen,
  'tandem_informer_objects{resource="nodes",instance="b",job="t"}': '5x120',
};

const delay = 'node_controller_cloud_provider_taint_removal_delay_seconds_bucket';
const age = 'tandem_oldest_uninitialized_node_age_seconds';
const calls = 'tandem_cloud_calls_total';

/** The cases of each alert: at least one in which it fires and one in which it does not. */
export const alertCases: Readonly<Record<string, readonly AlertCase[]>> = {
  TandemNodesWaiting: [
    fires('a refused node', 20, { [`${age}{reason="NoAddressOfFamily"}`]: '0+60x40' }),
    silent('a new node', 9, { [`${age}{reason="pending"}`]: '0+60x40' }),
    silent('a paused node and one of another cloud', 40, {
      [`${age}{reason="paused"}`]: '0+60x40',
      [`${age}{reason="not_ours"}`]: '0+60x40',
    }),
  ],
  TandemNodesRefused: [
    fires(
      'two codes',
      31,
      {
        'tandem_refused_nodes{code="InvalidSyntax"}': '1x60',
        'tandem_refused_nodes{code="NoAddressOfFamily"}': '2x60',
      },
      2,
    ),
    silent('one that is mended in time', 40, {
      'tandem_refused_nodes{code="InvalidSyntax"}': '1x20 0x40',
    }),
  ],
  TandemInitialisationSlow: [
    fires('four minutes a node', 40, {
      [`${delay}{le="64"}`]: '0x60',
      [`${delay}{le="256"}`]: '0+5x60',
      [`${delay}{le="+Inf"}`]: '0+5x60',
    }),
    silent('a second a node', 40, {
      [`${delay}{le="1"}`]: '0+5x60',
      [`${delay}{le="256"}`]: '0+5x60',
      [`${delay}{le="+Inf"}`]: '0+5x60',
    }),
    silent('no new node', 40, { [`${delay}{le="64"}`]: '5x60', [`${delay}{le="+Inf"}`]: '9x60' }),
  ],
  TandemCloudAccessDenied: [
    fires('access refused', 10, {
      'tandem_cloud_access{result="granted"}': '0x20',
      'tandem_cloud_access{result="refused"}': '1x20',
    }),
    silent('look-ups work, and something else is refused', 10, {
      'tandem_cloud_access{result="granted"}': '0x20',
      'tandem_cloud_access{result="incomplete"}': '1x20',
      'tandem_cloud_access{result="refused"}': '0x20',
    }),
  ],
  TandemCloudAccessIncomplete: [
    fires('look-ups work, and something else is refused', 10, {
      'tandem_cloud_access{result="incomplete"}': '1x20',
    }),
    silent('access granted', 10, {
      'tandem_cloud_access{result="granted"}': '1x20',
      'tandem_cloud_access{result="incomplete"}': '0x20',
    }),
  ],
  TandemCloudAccessUnknown: [
    fires('no answer for a quarter of an hour', 16, {
      'tandem_cloud_access{result="granted"}': '0x20',
      'tandem_cloud_access{result="unknown"}': '1x20',
    }),
    silent('an answer after ten minutes', 18, {
      'tandem_cloud_access{result="unknown"}': '1x10 0x10',
    }),
  ],
  TandemCloudErrors: [
    fires('half of the calls throttled', 40, {
      [`${calls}{provider="aws",outcome="answered"}`]: '0+10x60',
      [`${calls}{provider="aws",outcome="throttled"}`]: '0+10x60',
    }),
    silent('one call in twenty failed', 40, {
      [`${calls}{provider="aws",outcome="answered"}`]: '0+19x60',
      [`${calls}{provider="aws",outcome="failed"}`]: '0+1x60',
    }),
  ],
  TandemInventoryStale: [
    fires('a stale inventory', 10, { tandem_static_inventory_is_stale: '1x20' }),
    silent('a good inventory', 10, { tandem_static_inventory_is_stale: '0x20' }),
  ],
  TandemInventoryEntriesRefused: [
    fires('an entry with a mistake', 20, { tandem_static_inventory_refused_entries: '1x30' }),
    silent('no mistake', 20, { tandem_static_inventory_refused_entries: '0x30' }),
  ],
  TandemDeletionsHeld: [
    fires('the brake on', 2, { tandem_node_deletion_brake_engaged: '1x10' }),
    silent('the brake off', 9, { tandem_node_deletion_brake_engaged: '0x10' }),
  ],
  TandemNodesWithoutPodCIDRs: [
    fires('two nodes wait', 11, { tandem_pod_cidr_waiting_nodes: '2x30' }),
    silent('none waits', 20, { tandem_pod_cidr_waiting_nodes: '0x30' }),
  ],
  TandemPodCIDRsNearlyExhausted: [
    fires('one range of two', 20, {
      'tandem_pod_cidr_blocks{pool="p",range="10.244.0.0/16",state="free"}': '5x30',
      'tandem_pod_cidr_blocks{pool="p",range="10.244.0.0/16",state="bound"}': '95x30',
      'tandem_pod_cidr_blocks{pool="p",range="fd00::/48",state="free"}': '60000x30',
      'tandem_pod_cidr_blocks{pool="p",range="fd00::/48",state="bound"}': '95x30',
    }),
    silent('half free', 20, {
      'tandem_pod_cidr_blocks{pool="p",range="r",state="free"}': '50x30',
      'tandem_pod_cidr_blocks{pool="p",range="r",state="bound"}': '50x30',
    }),
  ],
  TandemPodCIDRProblems: [
    fires('an overlap', 15, { 'tandem_pod_cidr_problems{code="DuplicatePodCIDR"}': '2x30' }),
    silent('none', 15, { 'tandem_pod_cidr_problems{code="DuplicatePodCIDR"}': '0x30' }),
  ],
  TandemSecondAllocator: [
    fires('another allocator', 10, { tandem_foreign_pod_cidrs_total: '0x5 1x20' }),
    silent('one that ended an hour ago', 60, { tandem_foreign_pod_cidrs_total: '0x5 3x100' }),
  ],
  TandemNodesUnrouted: [
    fires('one node', 11, { tandem_unrouted_nodes: '1x30' }),
    silent('a node that got its route', 12, { tandem_unrouted_nodes: '1x5 0x30' }),
  ],
  TandemRouteTableNearlyFull: [
    fires('a table at 95 %', 20, {
      'tandem_route_table_usage_ratio{table="rtb-1",family="all"}': '0.95x30',
    }),
    silent('a table at 50 %', 20, {
      'tandem_route_table_usage_ratio{table="rtb-1",family="all"}': '0.5x30',
    }),
  ],
  TandemAbsent: [fires('no manager', 6, { up: '1x20' }), silent('a manager', 20, seen)],
  TandemNoLeader: [
    fires('two standbys', 5, { ...seenTwice, [leader]: '0x20', [standby]: '0x20' }),
    silent('a leader and a standby', 10, { ...seenTwice, [leader]: '1x20', [standby]: '0x20' }),
    silent('another program without a leader', 10, {
      ...seen,
      [leader]: '1x20',
      [scheduler('s')]: '0x20',
    }),
    fires('two standbys beside another program that leads', 5, {
      ...seenTwice,
      [leader]: '0x20',
      [standby]: '0x20',
      [scheduler('s')]: '1x20',
    }),
  ],
  TandemTwoLeaders: [
    silent('two leaders of another program, of two clusters', 10, {
      ...seen,
      [leader]: '1x20',
      [scheduler('s')]: '1x20',
      [scheduler('t')]: '1x20',
    }),
    fires('two leaders', 7, { ...seenTwice, [leader]: '1x20', [standby]: '1x20' }),
    silent('a hand-over', 12, { ...seenTwice, [leader]: '1x5 0x20', [standby]: '0x4 1x20' }),
  ],
  TandemWritesDenied: [
    fires('pod CIDRs denied, addresses allowed', 6, {
      tandem_node_writes_allowed: '1x20',
      tandem_pod_cidr_writes_allowed: '0x20',
    }),
    silent('all allowed', 15, {
      tandem_node_writes_allowed: '1x20',
      tandem_pod_cidr_writes_allowed: '1x20',
      tandem_network_condition_writes_allowed: '1x20',
    }),
  ],
  TandemPermissionsMissing: [
    fires('one missing', 6, {
      'tandem_missing_permissions{verb="patch",resource="nodes"}': '1x20',
      'tandem_missing_permissions{verb="get",resource="nodes"}': '0x20',
    }),
    silent('none missing', 15, {
      'tandem_missing_permissions{verb="get",resource="nodes"}': '0x20',
    }),
  ],
  TandemNodeCacheStale: [
    fires('ten minutes without a bookmark', 15, {
      'tandem_informer_last_progress_timestamp_seconds{resource="nodes"}': '60x30',
    }),
    silent('a bookmark a minute', 20, {
      'tandem_informer_last_progress_timestamp_seconds{resource="nodes"}': '0+60x30',
    }),
  ],
  TandemCertificateExpires: [
    fires('a certificate with a day left', 90, {
      'tandem_credentials_expiry_timestamp_seconds{flag="kubeconfig",kind="certificate"}':
        '86400x120',
    }),
    silent('a certificate with a year left, and a token with minutes', 90, {
      'tandem_credentials_expiry_timestamp_seconds{flag="kubeconfig",kind="certificate"}':
        '31536000x120',
      'tandem_credentials_expiry_timestamp_seconds{flag="kubeconfig",kind="token"}': '6000x120',
    }),
  ],
  TandemCredentialsNotRefreshed: [
    fires('a plug-in that fails', 30, {
      'tandem_credentials_refresh_failures_total{source="plugin"}': '0+1x40',
    }),
    silent('a failure now and then', 30, {
      'tandem_credentials_refresh_failures_total{source="plugin"}': '0x10 1x30',
    }),
  ],
};
