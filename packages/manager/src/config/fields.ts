/**
 * Every field of the configuration file, declared once. The reader accepts only fields of these tables, and
 * `docs/reference/configuration.md` is generated from them, so every accepted field is documented.
 */
import type { FieldTable } from '@tandem/cli/yaml';

export const apiVersion = 'tandem.dev/v1alpha1';
export const kind = 'ManagerConfiguration';

export const rootFields: FieldTable<
  'apiVersion' | 'kind' | 'nodeIPPolicies' | 'excludeCIDRs' | 'vips' | 'podCIDRPools' | 'routes'
> = {
  apiVersion: {
    type: `\`${apiVersion}\``,
    meaning: 'Version of the file format.',
    isRequired: true,
  },
  kind: { type: `\`${kind}\``, meaning: 'Kind of the file.', isRequired: true },
  nodeIPPolicies: {
    type: 'list of policies',
    meaning:
      'IP requests for nodes, by node labels. The first policy whose selector matches a node applies, unless an annotation of the node requests IPs; see `overridesKubelet`.',
  },
  excludeCIDRs: {
    type: 'list of exclusions',
    meaning: 'Networks whose addresses are never node IPs, such as a storage network.',
  },
  vips: {
    type: 'VIPs',
    meaning:
      'Virtual IPs of the cluster, which keepalived or a similar program moves between machines. They are never node IPs.',
  },
  podCIDRPools: {
    type: 'list of pools',
    meaning:
      'Ranges that nodes get their pod CIDRs from, by node labels, with `--allocate-node-cidrs`. A node gets the pod CIDRs of all families from the first pool whose selector matches it, or from `--cluster-cidr` if none does. A node does not fall back to another pool when its pool is exhausted. Pools must not overlap each other or `--cluster-cidr`.',
  },
  routes: {
    type: 'routes',
    meaning:
      'Which nodes get routes in the cloud, where the provider has route tables and `--configure-cloud-routes` is true.',
  },
};

export const routeFields: FieldTable<'selector'> = {
  selector: {
    type: 'label selector',
    meaning:
      'Nodes that get routes to their pod CIDRs. Default: all. Routes of other nodes are neither created nor deleted, which suits hybrid nodes whose network is somebody else’s.',
  },
};

export const policyFields: FieldTable<'name' | 'selector' | 'request' | 'overridesKubelet'> = {
  name: {
    type: 'string',
    meaning: 'Name of the policy in events and in the log. Must be unique.',
    isRequired: true,
  },
  selector: {
    type: 'label selector',
    meaning: 'Nodes that the policy applies to. An empty selector, `{}`, matches all nodes.',
    isRequired: true,
  },
  request: {
    type: 'string',
    meaning:
      'Requested IPs: `IPv4`, `IPv6` or an IP address, or one of each family separated by a comma, the primary one first.',
    isRequired: true,
  },
  overridesKubelet: {
    type: 'true or false',
    meaning:
      "Whether the policy overrides the kubelet's `--node-ip`. Default: false. The annotation `tandem.dev/node-ip` overrides both.",
  },
};

export const selectorFields: FieldTable<'matchLabels' | 'matchExpressions'> = {
  matchLabels: {
    type: 'map of strings',
    meaning: 'Labels and values that a node must have.',
  },
  matchExpressions: {
    type: 'list of expressions',
    meaning: 'Further conditions, all of which must be true.',
  },
};

export const expressionFields: FieldTable<'key' | 'operator' | 'values'> = {
  key: { type: 'string', meaning: 'Label key.', isRequired: true },
  operator: {
    type: '`In`, `NotIn`, `Exists` or `DoesNotExist`',
    meaning: 'As in other Kubernetes selectors: `NotIn` also matches a node without the label.',
    isRequired: true,
  },
  values: {
    type: 'list of strings',
    meaning: 'At least one with `In` and `NotIn`, none with the other operators.',
  },
};

export const exclusionFields: FieldTable<'cidr' | 'type' | 'reason'> = {
  cidr: {
    type: 'network',
    meaning: 'A network, such as `192.0.2.0/24`, or a single address, such as `192.0.2.7/32`.',
    isRequired: true,
  },
  type: {
    type: '`InternalIP`, `ExternalIP`, `Hostname`, `InternalDNS` or `ExternalDNS`',
    meaning: 'Exclude only addresses that the cloud lists with this type. Default: all types.',
  },
  reason: {
    type: 'string',
    meaning: 'Shown with the network in events and in the log when an address is excluded.',
  },
};

export const vipFields: FieldTable<
  'apiVIP' | 'apiVIPs' | 'ingressVIP' | 'ingressVIPs' | 'machineNetworks'
> = {
  apiVIP: { type: 'IP address', meaning: 'Virtual IP of the API server.' },
  apiVIPs: {
    type: 'list of IP addresses',
    meaning:
      'Virtual IPs of the API server in both families, IPv4 first. Requires `apiVIP`, which must equal the first.',
  },
  ingressVIP: { type: 'IP address', meaning: 'Virtual IP of the ingress.' },
  ingressVIPs: {
    type: 'list of IP addresses',
    meaning: 'Virtual IPs of the ingress in both families, with the same rules as `apiVIPs`.',
  },
  machineNetworks: {
    type: 'list of networks',
    meaning: 'If given, every VIP must be in one of these networks.',
  },
};

export const poolFields: FieldTable<'name' | 'selector' | 'cidrs' | 'nodeMaskSizes'> = {
  name: {
    type: 'string',
    meaning:
      'Name of the pool in events, metrics and the log, of at most 63 printable characters. Must be unique. `cluster-cidr` is the name of the pool of the flags.',
    isRequired: true,
  },
  selector: {
    type: 'label selector',
    meaning: 'Nodes that the pool is for. Default: all nodes.',
  },
  cidrs: {
    type: 'list of networks',
    meaning: 'One range, or one of each family, the primary family of the nodes first.',
    isRequired: true,
  },
  nodeMaskSizes: {
    type: 'block sizes',
    meaning: "Prefix lengths of a node's pod CIDRs.",
  },
};

export const maskSizeFields: FieldTable<'IPv4' | 'IPv6'> = {
  IPv4: {
    type: 'whole number',
    meaning: 'From the prefix length of the IPv4 range to 32. Default: 24.',
  },
  IPv6: {
    type: 'whole number',
    meaning: 'From the prefix length of the IPv6 range to 128. Default: 64.',
  },
};

/** All tables in the order of the page, with the path at which each is found. */
export const fieldTables: readonly {
  readonly title: string;
  readonly path: string;
  /** Other paths with the same fields. */
  readonly alsoAt?: readonly string[];
  readonly fields: FieldTable;
}[] = [
  { title: 'The file', path: '', fields: rootFields },
  { title: 'A policy', path: 'nodeIPPolicies[]', fields: policyFields },
  {
    title: 'A label selector',
    path: 'nodeIPPolicies[].selector',
    alsoAt: ['podCIDRPools[].selector', 'routes.selector'],
    fields: selectorFields,
  },
  {
    title: 'An expression',
    path: 'nodeIPPolicies[].selector.matchExpressions[]',
    alsoAt: ['podCIDRPools[].selector.matchExpressions[]', 'routes.selector.matchExpressions[]'],
    fields: expressionFields,
  },
  { title: 'An exclusion', path: 'excludeCIDRs[]', fields: exclusionFields },
  { title: 'VIPs', path: 'vips', fields: vipFields },
  { title: 'A pool', path: 'podCIDRPools[]', fields: poolFields },
  { title: 'Block sizes', path: 'podCIDRPools[].nodeMaskSizes', fields: maskSizeFields },
  { title: 'Routes', path: 'routes', fields: routeFields },
];
