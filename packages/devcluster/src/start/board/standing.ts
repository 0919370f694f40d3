/**
 * What the events of a node say of it: the refusal that stands, if one does, a disagreement of sources, and
 * problems of pod CIDRs.
 */
import { requestRefusals, requestsDifferReason } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { textAt } from '../../json/index.ts';

export interface Said {
  readonly code: string;
  readonly message: string;
}

export interface Standing {
  readonly refusal: Said | undefined;
  readonly disagreement: Said | undefined;
  /** By code. No event says when one is over. */
  readonly podCIDRProblems: ReadonlyMap<string, Said>;
}

export const nothingSaid: Standing = {
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
/** Said when a node got what it asked for. */
const successes = new Set(['Synced', 'AddressesChanged']);

/** The standing after one more event, in the order in which events are written. */
export function withEvent(standing: Standing, event: unknown): Standing {
  const code = textAt(event, 'reason');
  const said = { code, message: textAt(event, 'message') };
  if (refusals.has(code)) return { ...standing, refusal: said };
  if (code === requestsDifferReason) return { ...standing, disagreement: said };
  if (podCIDRCodes.has(code)) {
    const podCIDRProblems = new Map([...standing.podCIDRProblems, [code, said]]);
    return { ...standing, podCIDRProblems };
  }
  return successes.has(code) ? { ...standing, refusal: undefined } : standing;
}
