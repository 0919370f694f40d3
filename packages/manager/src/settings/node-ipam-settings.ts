/** What node-ipam-controller runs with: where pod CIDRs come from, and which addresses they must leave alone. */
import type { NodeIpamSettings as AllocatorSettings } from '@tandem/controllers/node-ipam';

/** Pools are in the order in which they are tried: those of the file of `--config`, then that of `--cluster-cidr`. */
export interface NodeIpamSettings extends AllocatorSettings {
  /** Nodes that are written in parallel. */
  readonly workers: number;
}
