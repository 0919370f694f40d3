/**
 * What the events of a node say of it: the refusal that stands, if one does, a disagreement of sources, and
 * problems of pod CIDRs.
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
  /** By code. No event says when one is over. */
  readonly podCIDRProblems: ReadonlyMap<string, NodeProblem>;
}

export const noProblems: NodeProblems = {
  refusal: undefined,
  disagreement: undefined,
  podCIDRProblems: new Map(),
};

/** Of a node that has no pod CIDRs. */
export const unassignedCodes: readonly string[] = ['CIDRNotAvailable', 'CIDRAssignmentFailed'];
export const duplicateCode = 'DuplicatePodCIDR';
/** Of a node that has pod CIDRs, the worst first. */
export const assignedCodes: readonly string[] = [
  duplicateCode,
  'PodCIDROutsidePools',
  'PodCIDRFamilyMissing',
  'PodCIDRFamilyOrder',
];

const refusals = new Set([...Object.keys(requestRefusals), ...Object.keys(nodeRefusals)]);
const podCIDRCodes = new Set([...unassignedCodes, ...assignedCodes]);
/** Events that say that a node got what it asked for. */
const successes = new Set(['Synced', 'AddressesChanged']);

/** The problems after one more event, in the order in which events are written. */
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
