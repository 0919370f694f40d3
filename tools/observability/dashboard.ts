/** The panels of the Grafana dashboard, as data. `dashboard-file.ts` writes them in Grafana's format. */
export interface Panel {
  readonly title: string;
  /** What the panel shows. */
  readonly about: string;
  readonly kind: 'timeseries' | 'stat';
  /** A unit of Grafana: `s`, `d`, `ops`, `short`, `percentunit`, `bytes`. */
  readonly unit: string;
  /** Expressions by their legends. */
  readonly queries: Readonly<Record<string, string>>;
}

const rate = (metric: string): string => `rate(${metric}[$__rate_interval])`;

/** Three quantiles of a histogram. */
function quantiles(metric: string): Panel['queries'] {
  return Object.fromEntries(
    [0.5, 0.9, 0.99].map((quantile) => [
      `p${quantile * 100}`,
      `histogram_quantile(${quantile}, sum by (le) (${rate(`${metric}_bucket`)}))`,
    ]),
  );
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
        queries: { nodes: 'max(tandem_informer_objects{resource="nodes"})' },
      },
      {
        ...stat,
        title: 'Nodes waiting',
        about: 'Nodes with the uninitialized taint, without paused ones and those of other clouds.',
        unit: 'short',
        queries: {
          waiting: 'sum(max by (reason) (tandem_uninitialized_nodes{reason!~"paused|not_ours"}))',
        },
      },
      {
        ...stat,
        title: 'Deletions held',
        about: 'Nodes that the brake keeps from being deleted.',
        unit: 'short',
        queries: { held: 'max(tandem_node_deletions_held)' },
      },
      {
        ...stat,
        title: 'Nodes without a route',
        about: 'Nodes that lack a route to one of their pod CIDRs.',
        unit: 'short',
        queries: { unrouted: 'max(tandem_unrouted_nodes)' },
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
        queries: { '{{reason}}': 'max by (reason) (tandem_uninitialized_nodes)' },
      },
      {
        ...series,
        title: 'Oldest node waiting',
        about: 'How long the oldest node with the taint has waited.',
        unit: 's',
        queries: { '{{reason}}': 'max by (reason) (tandem_oldest_uninitialized_node_age_seconds)' },
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
        queries: { '{{code}}': 'max by (code) (tandem_refused_nodes)' },
      },
      {
        ...series,
        title: 'Writes to nodes',
        about: 'None on a converged cluster.',
        unit: 'ops',
        queries: {
          '{{action}} {{outcome}}': `sum by (action, outcome) (${rate('tandem_node_writes_total')})`,
        },
      },
      {
        ...series,
        title: 'Writes per node and hour',
        about: 'About three for a node that is initialised with pod CIDRs, then none.',
        unit: 'short',
        queries: {
          'addresses, providerID, labels, taint':
            'sum(increase(tandem_node_writes_total[1h])) / max(tandem_informer_objects{resource="nodes"})',
          'pod CIDRs':
            'sum(increase(tandem_pod_cidr_writes_total[1h])) / max(tandem_informer_objects{resource="nodes"})',
          'condition NetworkUnavailable':
            'sum(increase(tandem_network_condition_writes_total[1h])) / max(tandem_informer_objects{resource="nodes"})',
        },
      },
      {
        ...series,
        title: 'Deletions',
        about: 'Nodes whose machines are gone, held ones, and deletions.',
        unit: 'short',
        queries: {
          candidates: 'max(tandem_node_deletion_candidates)',
          held: 'max(tandem_node_deletions_held)',
          brake: 'max(tandem_node_deletion_brake_engaged)',
          '{{outcome}}':
            'sum by (outcome) (increase(tandem_node_deletions_total[$__rate_interval]))',
        },
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
        queries: {
          '{{provider}} {{outcome}}': `sum by (provider, outcome) (${rate('tandem_cloud_calls_total')})`,
        },
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
        queries: { '{{answer}}': `sum by (answer) (${rate('tandem_cloud_answers_total')})` },
      },
      {
        ...series,
        title: 'Calls saved',
        about: 'Look-ups of single nodes, by source. Those of shared and cache saved a call each.',
        unit: 'ops',
        queries: { '{{source}}': `sum by (source) (${rate('tandem_cloud_lookups_total')})` },
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
        queries: {
          '{{pool}} {{range}}': 'max by (pool, range) (tandem_pod_cidr_blocks{state="free"})',
        },
      },
      {
        ...series,
        title: 'Days until a range is full',
        about: 'At the pace of the last day. Ranges that do not fill are left out.',
        unit: 'd',
        queries: {
          '{{pool}} {{range}}':
            'max by (pool, range) (tandem_pod_cidr_blocks{state="free"}) / (max by (pool, range) (-deriv(tandem_pod_cidr_blocks{state="free"}[1d])) > 0) / 86400',
        },
      },
      {
        ...series,
        title: 'Blocks by state',
        about: 'In doubt: a write whose outcome is not known yet.',
        unit: 'short',
        queries: {
          '{{state}}':
            'sum by (state) (max by (pool, range, state) (tandem_pod_cidr_blocks{state!="free"}))',
        },
      },
      {
        ...series,
        title: 'Nodes with trouble',
        about: 'Nodes that wait for a block, and pod CIDRs that are odd.',
        unit: 'short',
        queries: {
          waiting: 'max(tandem_pod_cidr_waiting_nodes)',
          '{{code}}': 'max by (code) (tandem_pod_cidr_problems)',
        },
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
        queries: {
          '{{family}} wanted': 'max by (family) (tandem_routes_wanted)',
          '{{family}} present': 'max by (family) (tandem_routes_present)',
        },
      },
      {
        ...series,
        title: 'Changes to routes',
        about: 'By operation and result.',
        unit: 'ops',
        queries: {
          '{{operation}} {{result}}': `sum by (operation, result) (${rate('tandem_cloud_route_operations_total')})`,
        },
      },
      {
        ...series,
        title: 'Use of route tables',
        about: 'Share of the capacity of each table.',
        unit: 'percentunit',
        queries: {
          '{{table}} {{family}}': 'max by (table, family) (tandem_route_table_usage_ratio)',
        },
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
        queries: {
          '{{instance}}':
            'leader_election_master_status and on (instance, job) tandem_informer_objects',
        },
      },
      {
        ...series,
        title: 'Requests to the API server',
        about: 'By status code.',
        unit: 'ops',
        queries: {
          '{{code}}': `sum by (code) (${rate('rest_client_requests_total')} and on (instance, job) tandem_informer_objects)`,
        },
      },
      {
        ...series,
        title: 'Queues',
        about: 'Nodes and events that wait for their turn.',
        unit: 'short',
        queries: {
          '{{name}}':
            'max by (name) (workqueue_depth and on (instance, job) tandem_informer_objects)',
        },
      },
      {
        ...series,
        title: 'Age of the node cache',
        about:
          'Time since the API server last sent anything about nodes. It sends a bookmark every minute.',
        unit: 's',
        queries: {
          '{{instance}}':
            'time() - tandem_informer_last_progress_timestamp_seconds{resource="nodes"}',
        },
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
        queries: {
          '--{{flag}} {{kind}}':
            'min by (flag, kind) (tandem_credentials_expiry_timestamp_seconds < Inf) - time()',
        },
      },
      {
        ...series,
        title: 'Memory',
        about: 'Resident memory of each manager.',
        unit: 'bytes',
        queries: {
          '{{instance}}':
            'process_resident_memory_bytes and on (instance, job) tandem_informer_objects',
        },
      },
      {
        ...series,
        title: 'Event loop',
        about: 'Delay of the event loop of each manager.',
        unit: 's',
        queries: { '{{instance}}': 'tandem_event_loop_lag_seconds' },
      },
    ],
  },
];
