/**
 * What the events of a node report: its current refusal, a disagreement of sources, and problems of pod CIDRs.
 */
import { requestRefusals, requestsDifferReason } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { textAt } from '../../json/index.ts';

export interface NodeProblem {
  readonly code: string;
  readonly message: string;
}

export interface NodeProblems {
  readonly refusal: NodeProblem | undefined;
  readonly disagreement: NodeProblem | undefined;
  /** By code. No event reports that such a problem is over. */
  readonly podCIDRProblems: ReadonlyMap<string, NodeProblem>;
}

export const noProblems: NodeProblems = {
  refusal: undefined,
  disagreement: undefined,
  podCIDRProblems: new Map(),
};

/** The codes for a node without pod CIDRs. */
export const unassignedCodes: readonly string[] = ['CIDRNotAvailable', 'CIDRAssignmentFailed'];
export const duplicateCode = 'DuplicatePodCIDR';
/** The codes for a node with pod CIDRs, the worst first. */
export const assignedCodes: readonly string[] = [
  duplicateCode,
  'PodCIDROutsidePools',
  'PodCIDRFamilyMissing',
  'PodCIDRFamilyOrder',
];

const refusals = new Set([...Object.keys(requestRefusals), ...Object.keys(nodeRefusals)]);
const podCIDRCodes = new Set([...unassignedCodes, ...assignedCodes]);
/** The reasons of events that report that a node got what it requested. */
const successes = new Set(['Synced', 'AddressesChanged']);

/** The problems after the next event, in the order in which events are written. */
export function withEvent(problems: NodeProblems, event: unknown): NodeProblems {
  const code = textAt(event, 'reason');
  const problem = { code, message: textAt(event, 'message') };
  if (refusals.has(code)) return { ...problems, refusal: problem };
  if (code === requestsDifferReason) return { ...problems, disagreement: problem };
  if (podCIDRCodes.has(code)) {
    const podCIDRProblems = new Map([...problems.podCIDRProblems, [code, problem]]);
    return { ...problems, podCIDRProblems };
  }
  return successes.has(code) ? { ...problems, refusal: undefined } : problems;
}
