/** When each alert fires and when it does not, as series of one sample a minute. */
export interface AlertCase {
  readonly alert: string;
  readonly name: string;
  /** In the notation of promtool: `0x10` is ten times 0 after the first, `0+1x10` counts. */
  readonly series: Readonly<Record<string, string>>;
  /** When to look. */
  readonly atMinutes: number;
  /** How many alerts fire then. */
  readonly firing: number;
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

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'TandemNodesWaiting',
    name: 'a refused node',
    series: { [`${age}{reason="NoAddressOfFamily"}`]: '0+60x40' },
    atMinutes: 20,
    firing: 1,
  },
  {
    alert: 'TandemNodesWaiting',
    name: 'a new node',
    series: { [`${age}{reason="pending"}`]: '0+60x40' },
    atMinutes: 9,
    firing: 0,
  },
  {
    alert: 'TandemNodesWaiting',
    name: 'a paused node and one of another cloud',
    series: { [`${age}{reason="paused"}`]: '0+60x40', [`${age}{reason="not_ours"}`]: '0+60x40' },
    atMinutes: 40,
    firing: 0,
  },
  {
    alert: 'TandemNodesRefused',
    name: 'two codes',
    series: {
      'tandem_refused_nodes{code="InvalidSyntax"}': '1x60',
      'tandem_refused_nodes{code="NoAddressOfFamily"}': '2x60',
    },
    atMinutes: 31,
    firing: 2,
  },
  {
    alert: 'TandemNodesRefused',
    name: 'one that is mended in time',
    series: { 'tandem_refused_nodes{code="InvalidSyntax"}': '1x20 0x40' },
    atMinutes: 40,
    firing: 0,
  },
  {
    alert: 'TandemInitialisationSlow',
    name: 'four minutes a node',
    series: {
      [`${delay}{le="64"}`]: '0x60',
      [`${delay}{le="256"}`]: '0+5x60',
      [`${delay}{le="+Inf"}`]: '0+5x60',
    },
    atMinutes: 40,
    firing: 1,
  },
  {
    alert: 'TandemInitialisationSlow',
    name: 'a second a node',
    series: {
      [`${delay}{le="1"}`]: '0+5x60',
      [`${delay}{le="256"}`]: '0+5x60',
      [`${delay}{le="+Inf"}`]: '0+5x60',
    },
    atMinutes: 40,
    firing: 0,
  },
  {
    alert: 'TandemInitialisationSlow',
    name: 'no new node',
    series: { [`${delay}{le="64"}`]: '5x60', [`${delay}{le="+Inf"}`]: '9x60' },
    atMinutes: 40,
    firing: 0,
  },
  {
    alert: 'TandemCloudAccessDenied',
    name: 'access refused',
    series: {
      'tandem_cloud_access{result="granted"}': '0x20',
      'tandem_cloud_access{result="refused"}': '1x20',
    },
    atMinutes: 10,
    firing: 1,
  },
  {
    alert: 'TandemCloudAccessDenied',
    name: 'look-ups work, and something else is refused',
    series: {
      'tandem_cloud_access{result="granted"}': '0x20',
      'tandem_cloud_access{result="incomplete"}': '1x20',
      'tandem_cloud_access{result="refused"}': '0x20',
    },
    atMinutes: 10,
    firing: 0,
  },
  {
    alert: 'TandemCloudAccessIncomplete',
    name: 'look-ups work, and something else is refused',
    series: { 'tandem_cloud_access{result="incomplete"}': '1x20' },
    atMinutes: 10,
    firing: 1,
  },
  {
    alert: 'TandemCloudAccessIncomplete',
    name: 'access granted',
    series: {
      'tandem_cloud_access{result="granted"}': '1x20',
      'tandem_cloud_access{result="incomplete"}': '0x20',
    },
    atMinutes: 10,
    firing: 0,
  },
  {
    alert: 'TandemCloudErrors',
    name: 'half of the calls throttled',
    series: {
      [`${calls}{provider="aws",outcome="answered"}`]: '0+10x60',
      [`${calls}{provider="aws",outcome="throttled"}`]: '0+10x60',
    },
    atMinutes: 40,
    firing: 1,
  },
  {
    alert: 'TandemCloudErrors',
    name: 'one call in twenty failed',
    series: {
      [`${calls}{provider="aws",outcome="answered"}`]: '0+19x60',
      [`${calls}{provider="aws",outcome="failed"}`]: '0+1x60',
    },
    atMinutes: 40,
    firing: 0,
  },
  {
    alert: 'TandemInventoryStale',
    name: 'a stale inventory',
    series: { tandem_static_inventory_is_stale: '1x20' },
    atMinutes: 10,
    firing: 1,
  },
  {
    alert: 'TandemInventoryStale',
    name: 'a good inventory',
    series: { tandem_static_inventory_is_stale: '0x20' },
    atMinutes: 10,
    firing: 0,
  },
  {
    alert: 'TandemInventoryEntriesRefused',
    name: 'an entry with a mistake',
    series: { tandem_static_inventory_refused_entries: '1x30' },
    atMinutes: 20,
    firing: 1,
  },
  {
    alert: 'TandemInventoryEntriesRefused',
    name: 'no mistake',
    series: { tandem_static_inventory_refused_entries: '0x30' },
    atMinutes: 20,
    firing: 0,
  },
  {
    alert: 'TandemDeletionsHeld',
    name: 'the brake on',
    series: { tandem_node_deletion_brake_engaged: '1x10' },
    atMinutes: 2,
    firing: 1,
  },
  {
    alert: 'TandemDeletionsHeld',
    name: 'the brake off',
    series: { tandem_node_deletion_brake_engaged: '0x10' },
    atMinutes: 9,
    firing: 0,
  },
  {
    alert: 'TandemNodesWithoutPodCIDRs',
    name: 'two nodes wait',
    series: { tandem_pod_cidr_waiting_nodes: '2x30' },
    atMinutes: 11,
    firing: 1,
  },
  {
    alert: 'TandemNodesWithoutPodCIDRs',
    name: 'none waits',
    series: { tandem_pod_cidr_waiting_nodes: '0x30' },
    atMinutes: 20,
    firing: 0,
  },
  {
    alert: 'TandemPodCIDRsNearlyExhausted',
    name: 'one range of two',
    series: {
      'tandem_pod_cidr_blocks{pool="p",range="10.244.0.0/16",state="free"}': '5x30',
      'tandem_pod_cidr_blocks{pool="p",range="10.244.0.0/16",state="bound"}': '95x30',
      'tandem_pod_cidr_blocks{pool="p",range="fd00::/48",state="free"}': '60000x30',
      'tandem_pod_cidr_blocks{pool="p",range="fd00::/48",state="bound"}': '95x30',
    },
    atMinutes: 20,
    firing: 1,
  },
  {
    alert: 'TandemPodCIDRsNearlyExhausted',
    name: 'half free',
    series: {
      'tandem_pod_cidr_blocks{pool="p",range="r",state="free"}': '50x30',
      'tandem_pod_cidr_blocks{pool="p",range="r",state="bound"}': '50x30',
    },
    atMinutes: 20,
    firing: 0,
  },
  {
    alert: 'TandemPodCIDRProblems',
    name: 'an overlap',
    series: { 'tandem_pod_cidr_problems{code="DuplicatePodCIDR"}': '2x30' },
    atMinutes: 15,
    firing: 1,
  },
  {
    alert: 'TandemPodCIDRProblems',
    name: 'none',
    series: { 'tandem_pod_cidr_problems{code="DuplicatePodCIDR"}': '0x30' },
    atMinutes: 15,
    firing: 0,
  },
  {
    alert: 'TandemSecondAllocator',
    name: 'another allocator',
    series: { tandem_foreign_pod_cidrs_total: '0x5 1x20' },
    atMinutes: 10,
    firing: 1,
  },
  {
    alert: 'TandemSecondAllocator',
    name: 'one that ended an hour ago',
    series: { tandem_foreign_pod_cidrs_total: '0x5 3x100' },
    atMinutes: 60,
    firing: 0,
  },
  {
    alert: 'TandemNodesUnrouted',
    name: 'one node',
    series: { tandem_unrouted_nodes: '1x30' },
    atMinutes: 11,
    firing: 1,
  },
  {
    alert: 'TandemNodesUnrouted',
    name: 'a node that got its route',
    series: { tandem_unrouted_nodes: '1x5 0x30' },
    atMinutes: 12,
    firing: 0,
  },
  {
    alert: 'TandemRouteTableNearlyFull',
    name: 'a table at 95 %',
    series: { 'tandem_route_table_usage_ratio{table="rtb-1",family="all"}': '0.95x30' },
    atMinutes: 20,
    firing: 1,
  },
  {
    alert: 'TandemRouteTableNearlyFull',
    name: 'a table at 50 %',
    series: { 'tandem_route_table_usage_ratio{table="rtb-1",family="all"}': '0.5x30' },
    atMinutes: 20,
    firing: 0,
  },
  { alert: 'TandemAbsent', name: 'no manager', series: { up: '1x20' }, atMinutes: 6, firing: 1 },
  { alert: 'TandemAbsent', name: 'a manager', series: seen, atMinutes: 20, firing: 0 },
  {
    alert: 'TandemNoLeader',
    name: 'two standbys',
    series: { ...seenTwice, [leader]: '0x20', [standby]: '0x20' },
    atMinutes: 5,
    firing: 1,
  },
  {
    alert: 'TandemNoLeader',
    name: 'a leader and a standby',
    series: { ...seenTwice, [leader]: '1x20', [standby]: '0x20' },
    atMinutes: 10,
    firing: 0,
  },
  {
    alert: 'TandemNoLeader',
    name: 'another program without a leader',
    series: {
      ...seen,
      [leader]: '1x20',
      [scheduler('s')]: '0x20',
    },
    atMinutes: 10,
    firing: 0,
  },
  {
    alert: 'TandemNoLeader',
    name: 'two standbys beside another program that leads',
    series: { ...seenTwice, [leader]: '0x20', [standby]: '0x20', [scheduler('s')]: '1x20' },
    atMinutes: 5,
    firing: 1,
  },
  {
    alert: 'TandemTwoLeaders',
    name: 'two leaders of another program, of two clusters',
    series: { ...seen, [leader]: '1x20', [scheduler('s')]: '1x20', [scheduler('t')]: '1x20' },
    atMinutes: 10,
    firing: 0,
  },
  {
    alert: 'TandemTwoLeaders',
    name: 'two leaders',
    series: { ...seenTwice, [leader]: '1x20', [standby]: '1x20' },
    atMinutes: 7,
    firing: 1,
  },
  {
    alert: 'TandemTwoLeaders',
    name: 'a hand-over',
    series: { ...seenTwice, [leader]: '1x5 0x20', [standby]: '0x4 1x20' },
    atMinutes: 12,
    firing: 0,
  },
  {
    alert: 'TandemWritesDenied',
    name: 'pod CIDRs denied, addresses allowed',
    series: { tandem_node_writes_allowed: '1x20', tandem_pod_cidr_writes_allowed: '0x20' },
    atMinutes: 6,
    firing: 1,
  },
  {
    alert: 'TandemWritesDenied',
    name: 'all allowed',
    series: {
      tandem_node_writes_allowed: '1x20',
      tandem_pod_cidr_writes_allowed: '1x20',
      tandem_network_condition_writes_allowed: '1x20',
    },
    atMinutes: 15,
    firing: 0,
  },
  {
    alert: 'TandemPermissionsMissing',
    name: 'one missing',
    series: {
      'tandem_missing_permissions{verb="patch",resource="nodes"}': '1x20',
      'tandem_missing_permissions{verb="get",resource="nodes"}': '0x20',
    },
    atMinutes: 6,
    firing: 1,
  },
  {
    alert: 'TandemPermissionsMissing',
    name: 'none missing',
    series: { 'tandem_missing_permissions{verb="get",resource="nodes"}': '0x20' },
    atMinutes: 15,
    firing: 0,
  },
  {
    alert: 'TandemNodeCacheStale',
    name: 'ten minutes without a bookmark',
    series: { 'tandem_informer_last_progress_timestamp_seconds{resource="nodes"}': '60x30' },
    atMinutes: 15,
    firing: 1,
  },
  {
    alert: 'TandemNodeCacheStale',
    name: 'a bookmark a minute',
    series: { 'tandem_informer_last_progress_timestamp_seconds{resource="nodes"}': '0+60x30' },
    atMinutes: 20,
    firing: 0,
  },
  {
    alert: 'TandemCertificateExpires',
    name: 'a certificate with a day left',
    series: {
      'tandem_credentials_expiry_timestamp_seconds{flag="kubeconfig",kind="certificate"}':
        '86400x120',
    },
    atMinutes: 90,
    firing: 1,
  },
  {
    alert: 'TandemCertificateExpires',
    name: 'a certificate with a year left, and a token with minutes',
    series: {
      'tandem_credentials_expiry_timestamp_seconds{flag="kubeconfig",kind="certificate"}':
        '31536000x120',
      'tandem_credentials_expiry_timestamp_seconds{flag="kubeconfig",kind="token"}': '6000x120',
    },
    atMinutes: 90,
    firing: 0,
  },
  {
    alert: 'TandemCredentialsNotRefreshed',
    name: 'a plug-in that fails',
    series: { 'tandem_credentials_refresh_failures_total{source="plugin"}': '0+1x40' },
    atMinutes: 30,
    firing: 1,
  },
  {
    alert: 'TandemCredentialsNotRefreshed',
    name: 'a failure now and then',
    series: { 'tandem_credentials_refresh_failures_total{source="plugin"}': '0x10 1x30' },
    atMinutes: 30,
    firing: 0,
  },
];
