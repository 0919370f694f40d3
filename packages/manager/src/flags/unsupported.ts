/**
 * Upstream's flags for features that Tandem does not have, such as resyncs, load balancers, leader migration and
 * webhooks, and flags that upstream has removed. Manifests still have them, and "unknown flag" would not help their users.
 */
import {
  accepted,
  type AnyFlag,
  bool,
  duration,
  file,
  type FlagGroup,
  int,
  int32Max,
  optionalText,
  port,
  refused,
  texts,
  type ValueType,
} from '@tandem/cli/flags';
import { secureServingFlags } from '@tandem/serving';

/** The flags of the group `Generic`. */
export const ineffectiveFlags: readonly AnyFlag[] = [
  {
    name: 'allow-untagged-cloud',
    type: bool,
    byDefault: 'false',
    isDeprecated: true,
    support: accepted('Tandem matches each node to its own instance and ignores cluster tags'),
    help: "Allow instances without the cluster's tag.",
  },
  {
    name: 'controller-start-interval',
    type: duration(),
    byDefault: '0s',
    support: accepted(
      'the controllers share one node cache, so starting them together adds no load',
      '0s',
    ),
    help: 'Interval between the starts of controllers.',
  },
  {
    name: 'external-cloud-volume-plugin',
    type: optionalText,
    support: accepted('no controller of Tandem handles volumes', ''),
    help: 'Volume plugin of an external cloud provider.',
  },
  {
    name: 'min-resync-period',
    type: duration(),
    byDefault: '12h',
    support: accepted(
      'Tandem does not resync its cache; it checks every node within --node-status-update-frequency',
    ),
    help: 'Minimum interval between resyncs of the node cache.',
  },
  {
    name: 'node-sync-period',
    type: duration(),
    byDefault: '0s',
    isDeprecated: true,
    support: accepted('upstream ignores it too; use --node-status-update-frequency'),
    help: 'Interval between node syncs.',
  },
];

export const serviceController: FlagGroup = {
  title: 'Service load-balancer controller',
  flags: [
    {
      name: 'concurrent-service-syncs',
      type: int({ min: 1, max: int32Max }),
      byDefault: '1',
      support: accepted('Tandem has no service-lb-controller'),
      help: 'Number of Services processed in parallel.',
    },
  ],
};

export const leaderMigration: FlagGroup = {
  title: 'Leader migration',
  flags: [
    {
      name: 'enable-leader-migration',
      type: bool,
      byDefault: 'false',
      support: refused(
        'Tandem has no second Lease. Switch off in kube-controller-manager what Tandem is to do (--cloud-provider=external, --allocate-node-cidrs=false), on all replicas, then start Tandem without this flag',
        'false',
      ),
      help: 'Move controllers between two managers with a second Lease.',
    },
    {
      name: 'leader-migration-config',
      type: file,
      support: refused('Tandem has no leader migration. Remove the flag', ''),
      help: 'Configuration file for leader migration.',
    },
  ],
};

export const webhook: FlagGroup = {
  title: 'Webhook',
  flags: [
    {
      name: 'webhooks',
      type: texts,
      byDefault: '',
      support: refused('Tandem serves no webhooks. Remove the flag', ''),
      help: 'Webhooks to serve. Upstream has none either.',
    },
  ],
};

const noWebhooks = 'Tandem serves no webhooks and opens no webhook port';

/** The help of each flag of the webhook port, which has some flags of the secure port with a prefix. */
const webhookPortHelp: ReadonlyMap<string, string> = new Map([
  ['bind-address', 'IP address of the webhook port.'],
  ['cert-dir', 'Certificate directory of the webhook port.'],
  ['tls-cert-file', 'Certificate of the webhook port.'],
  ['tls-private-key-file', 'Private key of the webhook port.'],
  ['tls-sni-cert-key', 'Additional certificates of the webhook port.'],
  ['tls-cipher-suites', 'Cipher suites of the webhook port.'],
  ['tls-curve-preferences', 'Key-exchange curves of the webhook port.'],
  ['tls-min-version', 'Minimum TLS version of the webhook port.'],
  ['disable-http2-serving', 'Do not serve HTTP/2 on the webhook port.'],
]);

export const webhookServing: FlagGroup = {
  title: 'Webhook serving',
  flags: [
    {
      name: 'webhook-secure-port',
      type: port,
      byDefault: '10260',
      support: accepted(noWebhooks, '0'),
      help: 'Port for webhooks.',
    },
    ...secureServingFlags.flags.flatMap(webhookFlag),
  ],
};

function webhookFlag(flag: AnyFlag): AnyFlag[] {
  const help = webhookPortHelp.get(flag.name);
  if (help === undefined) return [];
  const { otherwise: _, ...rest } = flag;
  return [{ ...rest, name: `webhook-${flag.name}`, support: accepted(noWebhooks), help }];
}

/** These flags are refused with any value, and without one. */
const anything: ValueType<string | undefined> = { ...optionalText, bare: '' };

const klog = refused(
  'upstream removed it in 1.26. Remove the flag; log lines go to standard error',
);
const insecure = refused(
  'upstream removed it in 1.24. Use --bind-address and --secure-port, which serve TLS',
);

export const removedFlags: readonly AnyFlag[] = [
  ...[
    'add-dir-header',
    'alsologtostderr',
    'log-backtrace-at',
    'log-dir',
    'log-file',
    'log-file-max-size',
    'logtostderr',
    'one-output',
    'skip-headers',
    'skip-log-headers',
    'stderrthreshold',
  ].map((name) => ({ name, type: anything, support: klog, help: 'Removed upstream.' })),
  ...['address', 'port'].map((name) => ({
    name,
    type: anything,
    support: insecure,
    help: 'Removed upstream.',
  })),
];
