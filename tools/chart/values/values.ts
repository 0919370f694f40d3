/**
 * Every value of the chart, declared once: `values.yaml`, `values.schema.json` and the table of the
 * README are made of this. A description is for people who read any of the three.
 */
import { managerAccount } from '@tandem/manager/access';
import { controllers } from '@tandem/manager/controllers';
import { docsURL } from '../../observability/alert-files.ts';
import { configurationValues } from './configuration-values.ts';
import { flagValues } from './flag-values.ts';
import { namedObjects, type Schema, strictObject, textMap } from './schema.ts';

/** A host, a port and the path of an owner, such as `ghcr.io/owner`; no scheme and no slash at the end. */
export const registryPattern =
  '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*$';

/** An image that was pushed. A released chart has it as its default. */
export interface PushedImage {
  readonly registry: string;
  readonly digest: string;
}

const registryOfTree =
  'The default is a name that cannot exist: set it to the registry that you push the image to.';
const registryOfRelease = 'The default is the registry of this release.';

function imageValues(pushed: PushedImage | undefined): Schema {
  const registry = pushed === undefined ? registryOfTree : registryOfRelease;
  const digest = pushed === undefined ? '' : ' The default is the image of this release.';
  return strictObject({
    registry: {
      description: `Registry of the image, such as \`registry.example.com\` or \`ghcr.io/owner\`. ${registry}`,
      type: 'string',
      pattern: registryPattern,
      default: pushed?.registry ?? 'registry.invalid',
    },
    repository: {
      description: 'Path of the image in the registry.',
      type: 'string',
      pattern: '^[a-z0-9]+([._/-]+[a-z0-9]+)*$',
      default: 'tandem/cloud-controller-manager',
    },
    tag: {
      description:
        'Tag of the image, for a chart without `image.digest`. Default: the version of the chart’s app. `latest` is refused.',
      type: 'string',
      pattern: '^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$',
      default: '',
    },
    digest: {
      description: `Digest of the image, \`sha256:…\`, in place of a tag.${digest}`,
      type: 'string',
      pattern: '^(sha256:[0-9a-f]{64})?$',
      default: pushed?.digest ?? '',
    },
    pullPolicy: {
      description: 'When the kubelet pulls the image.',
      type: 'string',
      enum: ['IfNotPresent', 'Always', 'Never'],
      default: 'IfNotPresent',
    },
    pullSecrets: namedObjects('Secrets with credentials for the registry: `[{name: NAME}]`.'),
  });
}

const cloudConfig = strictObject({
  content: {
    description:
      'The file of `--cloud-config` itself. The chart then creates the object that has it. Leave it empty where `name` is given.',
    type: 'string',
    default: '',
  },
  kind: {
    description:
      'Kind of the object that has the file. Use a Secret for a file with a secret in it.',
    type: 'string',
    enum: ['ConfigMap', 'Secret'],
    default: 'ConfigMap',
  },
  name: {
    description: 'Name of an object in the release’s namespace that you create yourself.',
    type: 'string',
    pattern: '^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)?$',
    default: '',
  },
  key: {
    description:
      'Key of the file in the object. Default: `inventory.yaml` for static, `cloud.conf` for aws, `azure.json` for azure, `cloud.conf` for other providers.',
    type: 'string',
    pattern: '^[A-Za-z0-9._-]*$',
    default: '',
  },
});

const quantities: Schema = {
  type: 'object',
  additionalProperties: {
    type: ['string', 'number'],
    pattern: '^[0-9]+(\\.[0-9]+)?(m|[kMGTPE]i?|e[0-9]+)?$',
  },
};

const tolerations: Schema = {
  description:
    'Taints that the manager tolerates: those of nodes that are not initialised yet or have no network. It leaves an unreachable node after 30 seconds.',
  type: 'array',
  items: strictObject({
    key: { type: 'string' },
    operator: { type: 'string', enum: ['Exists', 'Equal'] },
    value: { type: 'string' },
    effect: { type: 'string', enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
    tolerationSeconds: { type: 'integer', minimum: 0 },
  }),
  default: [
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists' },
    { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
    { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists' },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoSchedule' },
    {
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 30,
    },
    { key: 'CriticalAddonsOnly', operator: 'Exists' },
  ],
};

/** Those whom a role is bound to. */
function subjects(description: string): Schema {
  return {
    description,
    type: 'array',
    items: strictObject(
      {
        kind: { type: 'string', enum: ['ServiceAccount', 'User', 'Group'] },
        name: { type: 'string', minLength: 1 },
        namespace: { type: 'string', minLength: 1 },
      },
      { required: ['kind', 'name'] },
    ),
    default: [],
  };
}

const metrics = strictObject({
  service: {
    description: 'Whether there is a headless Service for the secure port, `NAME-metrics`.',
    type: 'boolean',
    default: true,
  },
  readers: subjects(
    'Who may read `/metrics` and `/metrics/slis`, such as `[{kind: ServiceAccount, name: prometheus-k8s, namespace: monitoring}]`.',
  ),
});

const logging = strictObject({
  format: {
    description: 'Format of the log lines.',
    type: 'string',
    enum: ['json', 'text'],
    default: 'json',
  },
  verbosity: {
    description: '`-v`: 4 shows why decisions are made, 6 the requests.',
    type: 'integer',
    minimum: 0,
    maximum: 10,
    default: 2,
  },
});

/** What asks for custom resources of the Prometheus operator, or for a ConfigMap that Grafana finds. */
const monitoring: Readonly<Record<string, Schema>> = {
  podMonitor: strictObject({
    enabled: {
      description:
        'Whether there is a PodMonitor for the Prometheus operator, with a service account of its own that may read metrics and nothing else.',
      type: 'boolean',
      default: false,
    },
    labels: textMap('Labels that your Prometheus selects PodMonitors by.'),
    interval: {
      description: 'How often Prometheus reads the metrics.',
      type: 'string',
      pattern: '^([0-9]+(ms|s|m|h))+$',
      default: '30s',
    },
  }),
  alerts: strictObject({
    enabled: {
      description: 'Whether there is a PrometheusRule with the alerts of docs/guides/alerts.md.',
      type: 'boolean',
      default: false,
    },
    labels: textMap('Labels that your Prometheus selects rules by.'),
  }),
  dashboard: strictObject({
    enabled: {
      description: 'Whether there is a ConfigMap with the dashboard for Grafana.',
      type: 'boolean',
      default: false,
    },
    labels: {
      ...textMap('Labels that the sidecar of Grafana selects dashboards by.'),
      default: { grafana_dashboard: '1' },
    },
    annotations: textMap('Annotations of that ConfigMap, such as the folder of the dashboard.'),
  }),
  docsURL: {
    description:
      'Where you publish `docs/`: alerts link to its page docs/guides/alerts.md. The default is a name that cannot exist.',
    type: 'string',
    pattern: '^https?://[^\\s/]+(/[^\\s]*)?$',
    default: docsURL,
  },
};

const deploymentName: Schema = {
  description:
    'Name of the Deployment or DaemonSet, and of what belongs to it. Choose other names for it and for the service account to install beside a manager that has them.',
  type: 'string',
  pattern: '^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$',
  default: 'cloud-controller-manager',
};

/** All but the name and the image. */
const others: Readonly<Record<string, Schema>> = {
  cloudProvider: {
    description:
      'Required. The cloud: `aws`, `azure`, `static`, or the path or package name of a provider module in your image.',
    type: 'string',
    pattern: '^\\S*$',
    default: '',
  },
  cloudConfig,
  configuration: strictObject(configurationValues(), {
    description:
      'What `--config` says: policies for node IPs, excluded networks, VIPs, pools of pod CIDRs, routes. See docs/reference/configuration.md. Select nodes by labels under `node-restriction.kubernetes.io/`.',
    default: {},
  }),
  controllers: strictObject(
    Object.fromEntries(
      controllers.map(({ name }) => [
        name,
        {
          description: `Whether ${name} runs, with its permissions.`,
          type: 'boolean',
          default: true,
        },
      ]),
    ),
  ),
  args: strictObject(flagValues(), {
    description:
      'Flags of the manager, without dashes: `{cluster-cidr: [10.244.0.0/16, "fd00:10:244::/48"], allocate-node-cidrs: true}`. See docs/reference/flags.md.',
    default: {},
  }),
  controllerAccounts: {
    description:
      'Whether the controllers write as service accounts of their own (`--use-service-account-credentials`). The account of the manager then cannot write to nodes.',
    type: 'boolean',
    default: false,
  },
  leaderElection: strictObject({
    leaseName: {
      description:
        'Name of the Lease in kube-system. With the default, upstream’s managers and this one exclude each other.',
      type: 'string',
      pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$',
      default: 'cloud-controller-manager',
    },
  }),
  logging,
  kind: {
    description:
      'What runs the managers. A `DaemonSet` runs one on each node that `controlPlaneNodes: required`, `nodeSelector` or `affinity` allows: for clusters whose control-plane nodes come and go.',
    type: 'string',
    enum: ['Deployment', 'DaemonSet'],
    default: 'Deployment',
  },
  replicas: {
    description:
      'How many managers a Deployment runs. One leads, the others stand by with a warm cache.',
    type: 'integer',
    minimum: 1,
    maximum: 5,
    default: 2,
  },
  hostNetwork: {
    description:
      'Whether the manager uses the network of its node. It needs to where pods have no network before the manager has run, and on AWS for the instance metadata service.',
    type: 'boolean',
    default: true,
  },
  dnsPolicy: {
    description:
      'Where names are looked up. `Default` is the resolver of the node, which works before the cluster’s DNS runs.',
    type: 'string',
    enum: ['Default', 'ClusterFirst', 'ClusterFirstWithHostNet'],
    default: 'Default',
  },
  port: {
    description: 'The secure port: health, metrics and status pages.',
    type: 'integer',
    minimum: 1,
    maximum: 65_535,
    default: 10_258,
  },
  priorityClassName: {
    description: 'Priority of the pods.',
    type: 'string',
    default: 'system-cluster-critical',
  },
  controlPlaneNodes: {
    description:
      'Whether the manager runs on nodes with the label `node-role.kubernetes.io/control-plane`: `preferred`, `required` or `ignored`.',
    type: 'string',
    enum: ['preferred', 'required', 'ignored'],
    default: 'preferred',
  },
  nodeSelector: textMap('Labels of the nodes that the manager runs on.'),
  affinity: strictObject(
    {
      nodeAffinity: { type: 'object' },
      podAffinity: { type: 'object' },
      podAntiAffinity: { type: 'object' },
    },
    {
      description:
        'An affinity in place of the chart’s own, which prefers control-plane nodes and keeps replicas apart.',
      default: {},
    },
  ),
  tolerations,
  podDisruptionBudget: {
    description:
      'Whether a PodDisruptionBudget lets only one manager of a Deployment at a time be evicted.',
    type: 'boolean',
    default: true,
  },
  resources: strictObject(
    { requests: quantities, limits: quantities },
    {
      description:
        'What the container asks for. The peak with 5,000 nodes is about 250 MB with static, 350 MB with aws and 470 MB with azure, whose preset has a higher limit.',
      default: { requests: { cpu: '50m', memory: '160Mi' }, limits: { memory: '512Mi' } },
    },
  ),
  serviceAccount: strictObject({
    name: {
      description: 'Name of the service account of the manager.',
      type: 'string',
      pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
      default: managerAccount,
    },
    annotations: textMap(
      'Annotations of the service account, such as `eks.amazonaws.com/role-arn` or `azure.workload.identity/client-id`.',
    ),
  }),
  podAnnotations: textMap('Annotations of the pods.'),
  podLabels: textMap('Labels of the pods, such as `azure.workload.identity/use: "true"`.'),
  env: namedObjects(
    'Further environment variables. `NODE_OPTIONS` and `MALLOC_ARENA_MAX` are the chart’s memory settings; one of the same name here counts in its place.',
  ),
  volumes: namedObjects('Further volumes of the pods.'),
  volumeMounts: {
    ...namedObjects('Further volume mounts of the container.'),
    items: {
      type: 'object',
      required: ['name', 'mountPath'],
      properties: { name: { type: 'string' }, mountPath: { type: 'string' } },
    },
  },
  metrics,
  viewers: subjects(
    'Who may use `kubectl nodeip`, such as `[{kind: Group, name: platform-team}]`. It includes forwarding ports to pods of kube-system.',
  ),
  ...monitoring,
};

/** The values that people set. */
export function settable(pushed?: PushedImage): Readonly<Record<string, Schema>> {
  return { name: deploymentName, image: imageValues(pushed), ...others };
}

/** What `values.schema.json` says. */
export function valuesSchema(pushed?: PushedImage): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Tandem chart',
    ...strictObject({
      ...settable(pushed),
      // Helm gives every chart that is part of another one this value.
      global: { type: 'object' },
    }),
  };
}
