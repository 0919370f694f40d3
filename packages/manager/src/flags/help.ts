/**
 * Writes the text of `--help`: a description, our own flags, upstream's generic flags, those of each controller and the
 * rest, each with its default, and examples at the end.
 */
import { type FlagGroup, flagsHelp } from '@tandem/cli/flags';

export function helpText(groups: readonly FlagGroup[]): string {
  return [introduction, flagsHelp(groups), examples].join('\n');
}

const introduction = `Tandem's cloud-controller-manager initialises nodes from their cloud, keeps their addresses up to
date in both IP families, gives nodes their pod CIDRs, and deletes nodes whose instances are gone.

Usage:
  cloud-controller-manager --cloud-provider=NAME [flags]

Flags have the names and defaults of the Kubernetes 1.36 cloud-controller-manager, so existing
command lines work unchanged. Two defaults differ, because the upstream values only protect old API
servers: --concurrent-node-syncs (upstream: 1) and --kube-api-qps (upstream: 20). Flags marked
"No effect" are accepted; the startup log names those that are given.
`;

const examples = `Examples:

  # Show what Tandem would change, beside a running manager. Writes nothing.
  cloud-controller-manager --cloud-provider=static --cloud-config=inventory.yaml \\
    --kubeconfig=$HOME/.kube/config --dry-run -v=4

  # Run in the cluster on bare metal, with policies and VIPs.
  cloud-controller-manager --cloud-provider=static --cloud-config=/etc/tandem/inventory.yaml \\
    --config=/etc/tandem/config.yaml --logging-format=json

  # Manage nodes only, beside another manager that provides load balancers.
  cloud-controller-manager --cloud-provider=static --controllers=cloud-node,cloud-node-lifecycle
`;
