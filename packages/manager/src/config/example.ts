/** A configuration that uses every field, as a starting point for users. A test reads it. */
export const exampleConfiguration: string = `apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration

# The first policy whose selector matches a node applies.
nodeIPPolicies:
  - name: storage
    selector:
      matchLabels: { pool: storage }
    request: IPv6,IPv4 # dual-stack, IPv6 first
    overridesKubelet: true # even if the kubelet has a literal --node-ip
  - name: edge
    selector:
      matchExpressions:
        - { key: topology.kubernetes.io/region, operator: In, values: [edge-1, edge-2] }
        - { key: node-role.kubernetes.io/control-plane, operator: DoesNotExist }
    request: IPv4

# Addresses of these networks are never node IPs.
excludeCIDRs:
  - { cidr: 192.0.2.0/24, type: InternalIP, reason: storage network }
  - { cidr: '2001:db8:bad::/48' }

# VIPs are never node IPs, whichever machine has them.
vips:
  apiVIP: 10.0.0.5
  apiVIPs: [10.0.0.5, 'fd00::5']
  ingressVIP: 10.0.0.6
  ingressVIPs: [10.0.0.6, 'fd00::6']
  machineNetworks: [10.0.0.0/16, 'fd00::/64']

# With --allocate-node-cidrs: pod CIDRs come from the first pool whose selector matches the node,
# and from --cluster-cidr if none does.
podCIDRPools:
  - name: edge
    selector:
      matchLabels: { pool: edge }
    cidrs: [10.245.0.0/16, 'fd00:10:245::/48']
    nodeMaskSizes: { IPv4: 26, IPv6: 64 } # smaller blocks for small machines

# Where the provider has route tables: nodes that get routes to their pod CIDRs. Default: all.
routes:
  selector:
    matchExpressions:
      - { key: example.com/hybrid, operator: DoesNotExist }
`;
