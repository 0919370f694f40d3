/**
 * Every field of the configuration file, declared once. The reader takes only fields of this table and
 * `docs/reference/configuration.md` is made of it, so that none can be taken without being explained.
 */
export interface FieldDeclaration {
  /** How the value is written, for people. */
  readonly type: string;
  readonly meaning: string;
  readonly isRequired?: true;
}

export type FieldTable<Name extends string = string> = Readonly<Record<Name, FieldDeclaration>>;

export const apiVersion = 'tandem.dev/v1alpha1';
export const kind = 'ManagerConfiguration';

export const rootFields: FieldTable<
  'apiVersion' | 'kind' | 'nodeIPPolicies' | 'excludeCIDRs' | 'vips'
> = {
  apiVersion: {
    type: `\`${apiVersion}\``,
    meaning: 'The version of the format.',
    isRequired: true,
  },
  kind: { type: `\`${kind}\``, meaning: 'What the file is.', isRequired: true },
  nodeIPPolicies: {
    type: 'list of policies',
    meaning:
      'Which IPs nodes ask for by their labels. The first policy whose selector matches a node counts, and only where no annotation asks; see `overridesKubelet`.',
  },
  excludeCIDRs: {
    type: 'list of exclusions',
    meaning: 'Networks whose addresses must never be node IPs, such as one for storage.',
  },
  vips: {
    type: 'VIPs',
    meaning:
      'The virtual IPs of the cluster, which keepalived or the like puts on one machine after the other. None of them is ever a node IP.',
  },
};

export const policyFields: FieldTable<'name' | 'selector' | 'request' | 'overridesKubelet'> = {
  name: {
    type: 'text',
    meaning: 'What the policy is called in events and by `explain`. No two may have the same.',
    isRequired: true,
  },
  selector: {
    type: 'label selector',
    meaning: 'Which nodes it is for. An empty one, `{}`, is for all.',
    isRequired: true,
  },
  request: {
    type: 'text',
    meaning:
      'What they ask for: `IPv4`, `IPv6` or an IP address, or one of each family with a comma between, the primary one first.',
    isRequired: true,
  },
  overridesKubelet: {
    type: 'true or false',
    meaning:
      "Whether it counts more than what kubelet's `--node-ip` asks for; false by default. The annotation `tandem.dev/node-ip` counts more than either.",
  },
};

export const selectorFields: FieldTable<'matchLabels' | 'matchExpressions'> = {
  matchLabels: {
    type: 'map of texts',
    meaning: 'Labels that a node must have, with their values.',
  },
  matchExpressions: {
    type: 'list of expressions',
    meaning: 'Further conditions; all of them must hold.',
  },
};

export const expressionFields: FieldTable<'key' | 'operator' | 'values'> = {
  key: { type: 'text', meaning: 'The label.', isRequired: true },
  operator: {
    type: '`In`, `NotIn`, `Exists` or `DoesNotExist`',
    meaning: 'As everywhere in Kubernetes: a node without the label is `NotIn` any values.',
    isRequired: true,
  },
  values: {
    type: 'list of texts',
    meaning: 'With `In` and `NotIn` at least one, with the others none.',
  },
};

export const exclusionFields: FieldTable<'cidr' | 'type' | 'reason'> = {
  cidr: {
    type: 'network',
    meaning: 'Such as `192.0.2.0/24`, or a single address, as in `192.0.2.7/32`.',
    isRequired: true,
  },
  type: {
    type: '`InternalIP`, `ExternalIP`, `Hostname`, `InternalDNS` or `ExternalDNS`',
    meaning: 'Only addresses that the cloud lists as this; all of them when left out.',
  },
  reason: {
    type: 'text',
    meaning: 'Shown beside an address that was left out, in events and by `explain`.',
  },
};

export const vipFields: FieldTable<
  'apiVIP' | 'apiVIPs' | 'ingressVIP' | 'ingressVIPs' | 'machineNetworks'
> = {
  apiVIP: { type: 'IP address', meaning: 'The virtual IP of the API server.' },
  apiVIPs: {
    type: 'list of IP addresses',
    meaning:
      'The same in both families, IPv4 first. `apiVIP` must be given too and equal the first.',
  },
  ingressVIP: { type: 'IP address', meaning: 'The virtual IP of the ingress.' },
  ingressVIPs: {
    type: 'list of IP addresses',
    meaning: 'The same in both families, in the way of `apiVIPs`.',
  },
  machineNetworks: {
    type: 'list of networks',
    meaning: 'Where given, every VIP must be inside one of them.',
  },
};

/** All tables in the order of the page, with the path at which each is found. */
export const fieldTables: readonly {
  readonly title: string;
  readonly path: string;
  readonly fields: FieldTable;
}[] = [
  { title: 'The file', path: '', fields: rootFields },
  { title: 'A policy', path: 'nodeIPPolicies[]', fields: policyFields },
  { title: 'A label selector', path: 'nodeIPPolicies[].selector', fields: selectorFields },
  {
    title: 'An expression',
    path: 'nodeIPPolicies[].selector.matchExpressions[]',
    fields: expressionFields,
  },
  { title: 'An exclusion', path: 'excludeCIDRs[]', fields: exclusionFields },
  { title: 'VIPs', path: 'vips', fields: vipFields },
];
