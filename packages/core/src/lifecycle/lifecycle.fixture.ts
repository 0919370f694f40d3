/** Nodes, evidence and inputs with defaults: a NotReady node that is ours. */
import { type Evidence, type LifecycleAnswer, noEvidence } from './evidence.ts';
import type { LifecycleNode } from './node.ts';
import type { LifecycleInput } from './plan.ts';

export function aNode(facts: Partial<LifecycleNode> = {}): LifecycleNode {
  return {
    name: 'node-0',
    uid: 'uid-0',
    providerID: 'cloud://0',
    readyStatus: 'Unknown',
    isBeingDeleted: false,
    taints: [],
    annotations: {},
    ...facts,
  };
}

export function absent(
  asOfMs: number,
  freshness: 'cached' | 'authoritative' = 'authoritative',
): LifecycleAnswer {
  return { kind: 'absent', freshness, asOfMs };
}

export const unknown: LifecycleAnswer = { kind: 'unknown', reason: 'throttled' };

/** Evidence about the default node, with absences from and to these times. */
export function absentFor(firstMs: number, latestMs: number): Evidence {
  return { ...noEvidence(aNode()), absent: { firstMs, latestMs } };
}

export function anInput(input: Partial<LifecycleInput> = {}): LifecycleInput {
  return {
    node: aNode(),
    owns: (providerID) => !providerID.startsWith('other://'),
    wasFound: false,
    isNotOurs: false,
    evidence: absentFor(0, 15_000),
    answer: absent(15_000),
    settings: { graceMs: 15_000 },
    ...input,
  };
}
