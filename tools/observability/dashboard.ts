/** The Grafana dashboard: what is on it, as data; `dashboard-file.ts` writes it as Grafana reads it. */
export interface Panel {
  readonly title: string;
  /** What to read from it. */
  readonly about: string;
  readonly kind: 'timeseries' | 'stat';
  /** Of Grafana: `s`, `d`, `ops`, `short`, `percentunit`, `bytes`. */
  readonly unit: string;
  readonly queries: readonly { readonly expr: string; readonly legend: string }[];
}

const rate = (metric: string): string => `rate(${metric}[$__rate_interval])`;

/** Three quantiles of a histogram. */
function quantiles(metric: string): Panel['queries'] {
  return [0.5, 0.9, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le) (${rate(`${metric}_bucket`)}))`,
    legend: `p${quantile * 100}`,
  }));
}

const series = { kind: 'timeseries' } as const;
const stat = { kind: 'stat' } as const;

export const rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[] = [
  {
    title: 'Now',
    panels: [
      {
        ...stat,
        title: 'Nodes',
        about: 'Nodes in the cache of the leader.',
        unit: 'short',
        queries: [{ expr: 'max(tandem_informer_objects{resource="nodes"})', legend: 'nodes' }],
      },
      {
        ...stat,
        title: 'Nodes waiting',
        about: 'Nodes with the uninitialized taint, without paused ones and those of other clouds.',
        unit: 'short',
        queries: [
          {
            expr: 'sum(max by (reason) (tandem_uninitialized_nodes{reason!~"paused|not_ours"}))',
            legend: 'waiting',
          },
        ],
      },
      {
        ...stat,
        title: 'Deletions held',
        about: 'Nodes that the brake keeps from being deleted.',
        unit: 'short',
        queries: [{ expr: 'max(tandem_node_deletions_held)', legend: 'held' }],
      },
      {
        ...stat,
        title: 'Nodes without a route',
        about: 'Nodes that lack a route to one of their pod CIDRs.',
        unit: 'short',
        queries: [{ expr: 'max(tandem_unrouted_nodes)', legend: 'unrouted' }],
      },
    ],
  },
  {
    title: 'Nodes',
    panels: [
      {
        ...series,
        title: 'Nodes waiting, and why',
        about: 'The reason is a refusal code, or pending while the cloud has not answered.',
        unit: 'short',
        queries: [{ expr: 'max by (reason) (tandem_uninitialized_nodes)', legend: '{{reason}}' }],
      },
      {
        ...series,
        title: 'Oldest node waiting',
        about: 'How long the oldest node with the taint has waited.',
        unit: 's',
        queries: [
          {
            expr: 'max by (reason) (tandem_oldest_uninitialized_node_age_seconds)',
            legend: '{{reason}}',
          },
        ],
      },
      {
        ...series,
        title: 'Time to initialise',
        about: 'From the creation of a node to the removal of its taint.',
        unit: 's',
        queries: quantiles('node_controller_cloud_provider_taint_removal_delay_seconds'),
      },
      {
        ...series,
        title: 'Refusals',
        about: 'Nodes that are refused, by code.',
        unit: 'short',
        queries: [{ expr: 'max by (code) (tandem_refused_nodes)', legend: '{{code}}' }],
      },
      {
        ...series,
        title: 'Writes to nodes',
        about: 'None on a converged cluster.',
        unit: 'ops',
        queries: [
          {
            expr: `sum by (action, outcome) (${rate('tandem_node_writes_total')})`,
            legend: '{{action}} {{outcome}}',
          },
        ],
      },
      {
        ...series,
        title: 'Writes per node and hour',
        about: 'About three for a node that is initialised with pod CIDRs, then none.',
        unit: 'short',
        queries: [
          {
            expr: 'sum(increase(tandem_node_writes_total[1h])) / max(tandem_informer_objects{resource="nodes"})',
            legend: 'addresses, providerID, labels, taint',
          },
          {
            expr: 'sum(increase(tandem_pod_cidr_writes_total[1h])) / max(tandem_informer_objects{resource="nodes"})',
            legend: 'pod CIDRs',
          },
          {
            expr: 'sum(increase(tandem_network_condition_writes_total[1h])) / max(tandem_informer_objects{resource="nodes"})',
            legend: 'condition NetworkUnavailable',
          },
        ],
      },
      {
        ...series,
        title: 'Deletions',
        about: 'Nodes whose machines are gone, held ones, and deletions.',
        unit: 'short',
        queries: [
          { expr: 'max(tandem_node_deletion_candidates)', legend: 'candidates' },
          { expr: 'max(tandem_node_deletions_held)', legend: 'held' },
          { expr: 'max(tandem_node_deletion_brake_engaged)', legend: 'brake' },
          {
            expr: 'sum by (outcome) (increase(tandem_node_deletions_total[$__rate_interval]))',
            legend: '{{outcome}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Cloud',
    panels: [
      {
        ...series,
        title: 'Cloud calls and errors',
        about: 'Calls to the provider by outcome. All but answered are errors.',
        unit: 'ops',
        queries: [
          {
            expr: `sum by (provider, outcome) (${rate('tandem_cloud_calls_total')})`,
            legend: '{{provider}} {{outcome}}',
          },
        ],
      },
      {
        ...series,
        title: 'Duration of cloud calls',
        about: 'Failed calls included.',
        unit: 's',
        queries: quantiles('tandem_cloud_call_duration_seconds'),
      },
      {
        ...series,
        title: 'Answers',
        about: 'What the cloud said about single nodes. Unknown changes nothing.',
        unit: 'ops',
        queries: [
          {
            expr: `sum by (answer) (${rate('tandem_cloud_answers_total')})`,
            legend: '{{answer}}',
          },
        ],
      },
      {
        ...series,
        title: 'Calls saved',
        about: 'Look-ups of single nodes, by source. Those of shared and cache saved a call each.',
        unit: 'ops',
        queries: [
          {
            expr: `sum by (source) (${rate('tandem_cloud_lookups_total')})`,
            legend: '{{source}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Pod CIDRs',
    panels: [
      {
        ...series,
        title: 'Free blocks',
        about: 'By pool and range.',
        unit: 'short',
        queries: [
          {
            expr: 'max by (pool, range) (tandem_pod_cidr_blocks{state="free"})',
            legend: '{{pool}} {{range}}',
          },
        ],
      },
      {
        ...series,
        title: 'Days until a range is full',
        about: 'At the pace of the last day. Ranges that do not fill are left out.',
        unit: 'd',
        queries: [
          {
            expr: 'max by (pool, range) (tandem_pod_cidr_blocks{state="free"}) / (max by (pool, range) (-deriv(tandem_pod_cidr_blocks{state="free"}[1d])) > 0) / 86400',
            legend: '{{pool}} {{range}}',
          },
        ],
      },
      {
        ...series,
        title: 'Blocks by state',
        about: 'In doubt: a write whose outcome is not known yet.',
        unit: 'short',
        queries: [
          {
            expr: 'sum by (state) (max by (pool, range, state) (tandem_pod_cidr_blocks{state!="free"}))',
            legend: '{{state}}',
          },
        ],
      },
      {
        ...series,
        title: 'Nodes with trouble',
        about: 'Nodes that wait for a block, and pod CIDRs that are odd.',
        unit: 'short',
        queries: [
          { expr: 'max(tandem_pod_cidr_waiting_nodes)', legend: 'waiting' },
          { expr: 'max by (code) (tandem_pod_cidr_problems)', legend: '{{code}}' },
        ],
      },
    ],
  },
  {
    title: 'Routes',
    panels: [
      {
        ...series,
        title: 'Routes wanted and present',
        about: 'They are equal on a converged cluster.',
        unit: 'short',
        queries: [
          { expr: 'max by (family) (tandem_routes_wanted)', legend: '{{family}} wanted' },
          { expr: 'max by (family) (tandem_routes_present)', legend: '{{family}} present' },
        ],
      },
      {
        ...series,
        title: 'Changes to routes',
        about: 'By operation and result.',
        unit: 'ops',
        queries: [
          {
            expr: `sum by (operation, result) (${rate('tandem_cloud_route_operations_total')})`,
            legend: '{{operation}} {{result}}',
          },
        ],
      },
      {
        ...series,
        title: 'Use of route tables',
        about: 'Share of the capacity of each table.',
        unit: 'percentunit',
        queries: [
          {
            expr: 'max by (table, family) (tandem_route_table_usage_ratio)',
            legend: '{{table}} {{family}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Manager',
    panels: [
      {
        ...series,
        title: 'Leader',
        about: 'One manager has 1, all others 0.',
        unit: 'short',
        queries: [
          {
            expr: 'leader_election_master_status and on (instance, job) tandem_informer_objects',
            legend: '{{instance}}',
          },
        ],
      },
      {
        ...series,
        title: 'Requests to the API server',
        about: 'By status code.',
        unit: 'ops',
        queries: [
          {
            expr: `sum by (code) (${rate('rest_client_requests_total')} and on (instance, job) tandem_informer_objects)`,
            legend: '{{code}}',
          },
        ],
      },
      {
        ...series,
        title: 'Queues',
        about: 'Nodes and events that wait for their turn.',
        unit: 'short',
        queries: [
          {
            expr: 'max by (name) (workqueue_depth and on (instance, job) tandem_informer_objects)',
            legend: '{{name}}',
          },
        ],
      },
      {
        ...series,
        title: 'Age of the node cache',
        about:
          'Time since the API server last sent anything about nodes. It sends a bookmark every minute.',
        unit: 's',
        queries: [
          {
            expr: 'time() - tandem_informer_last_progress_timestamp_seconds{resource="nodes"}',
            legend: '{{instance}}',
          },
        ],
      },
      {
        ...series,
        title: 'Lag of the node cache',
        about: 'From the answer to a write until the cache shows it.',
        unit: 's',
        queries: quantiles('tandem_node_cache_lag_seconds'),
      },
      {
        ...series,
        title: 'Credentials expire in',
        about: 'Those for the API server. The line rises when they are replaced.',
        unit: 's',
        queries: [
          {
            expr: 'min by (flag, kind) (tandem_credentials_expiry_timestamp_seconds < Inf) - time()',
            legend: '--{{flag}} {{kind}}',
          },
        ],
      },
      {
        ...series,
        title: 'Memory',
        about: 'Resident memory of each manager.',
        unit: 'bytes',
        queries: [
          {
            expr: 'process_resident_memory_bytes and on (instance, job) tandem_informer_objects',
            legend: '{{instance}}',
          },
        ],
      },
      {
        ...series,
        title: 'Event loop',
        about: 'Delay of the event loop of each manager.',
        unit: 's',
        queries: [{ expr: 'tandem_event_loop_lag_seconds', legend: '{{instance}}' }],
      },
    ],
  },
];
