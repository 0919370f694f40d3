/** The state that the node-ipam-controller keeps for one node, in addition to the state of the loop. */
import type { CloudBlocks, PodCIDRPlan } from '@tandem/core/allocation';
import type { NodeRecord } from '../loop/index.ts';

export interface IpamState {
  /** The podCIDRs that this process last tried to write. Any other podCIDRs came from another program. */
  written: readonly string[] | undefined;
  /** Whether the node waits for podCIDRs. */
  isWaiting: boolean;
  /** The last question to the cloud about the blocks of the node's instance, and the answer. */
  cloud: AskedBlocks | undefined;
  /** Consecutive answers of the cloud without an instance. */
  misses: number;
  /** Whether the next question must not accept an older answer of the cloud. */
  isOutdated: boolean;
  /** The messages of the node's current problems, by code. */
  problems: ReadonlyMap<string, string>;
  /** The last plan of a dry run; undefined outside a dry run. */
  dryRunPlan: PodCIDRPlan | undefined;
}

export interface AskedBlocks {
  readonly providerID: string;
  /** Undefined while the cloud has not answered. */
  readonly answer: CloudBlocks | undefined;
}

export type IpamNode = NodeRecord<IpamState>;

export function newState(): IpamState {
  return {
    written: undefined,
    isWaiting: false,
    cloud: undefined,
    misses: 0,
    isOutdated: false,
    problems: new Map(),
    dryRunPlan: undefined,
  };
}
