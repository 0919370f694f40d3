/** What the node-ipam-controller remembers of one node, beside what the loop does. */
import type { CloudBlocks, PodCIDRPlan } from '@tandem/core/allocation';
import type { NodeRecord } from '../loop/index.ts';

export interface IpamState {
  /** What this process last tried to write to the node: podCIDRs that are something else are another's. */
  written: readonly string[] | undefined;
  /** Whether the node waits for a free block. */
  isWaiting: boolean;
  /** What the cloud said about the blocks of the node's instance, and what it was asked about. */
  cloud: AskedBlocks | undefined;
  /** Whether older answers of the cloud do not count any more. */
  isOutdated: boolean;
  /** The messages that stand, by code. */
  problems: ReadonlyMap<string, string>;
  /** The last plan of a dry run. */
  dryRunPlan: PodCIDRPlan | undefined;
}

export interface AskedBlocks {
  readonly providerID: string;
  /** Undefined while the question is under way. */
  readonly answer: CloudBlocks | undefined;
}

export type IpamNode = NodeRecord<IpamState>;

export function newState(): IpamState {
  return {
    written: undefined,
    isWaiting: false,
    cloud: undefined,
    isOutdated: false,
    problems: new Map(),
    dryRunPlan: undefined,
  };
}
