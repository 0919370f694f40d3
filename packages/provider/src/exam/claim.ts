/** A claim about every provider, and the words in which the claims ask. */
import assert from 'node:assert/strict';
import type { Freshness, Instance, LookupAnswer, LookupAnswers, NodeRef } from '../plug/index.ts';
import type { InstanceOrder, Lab } from './lab.ts';

export interface Claim {
  /** A sentence whose subject is the provider. */
  readonly name: string;
  /** Rejects with an `AssertionError` where the claim does not hold. */
  readonly check: (lab: Lab) => Promise<void>;
}

export const bothFreshnesses: readonly Freshness[] = ['cached', 'authoritative'];

export function dualStack(name: string, host = 1): InstanceOrder {
  return {
    name,
    addresses: [
      { type: 'InternalIP', address: `10.1.0.${host}` },
      { type: 'InternalIP', address: `fd00:1::${host}` },
    ],
  };
}

/** A node as it looks before it is initialised; frozen, because no provider may change it. */
export function nodeOf(name: string, providerID = ''): NodeRef {
  return Object.freeze({ name, uid: `uid of ${name}`, providerID });
}

export async function lookUp(
  lab: Lab,
  nodes: readonly NodeRef[],
  freshness: Freshness = 'authoritative',
): Promise<LookupAnswers> {
  const { signal } = new AbortController();
  const frozen = Object.freeze([...nodes]);
  return lab.waitFor(lab.provider.lookup(frozen, { freshness, signal }));
}

export async function lookUpOne(
  lab: Lab,
  node: NodeRef,
  freshness: Freshness = 'authoritative',
): Promise<LookupAnswer> {
  const answer = (await lookUp(lab, [node], freshness)).get(node.name);
  assert(answer !== undefined, `the answer has no entry for ${node.name}`);
  return answer;
}

export function assertFound(answer: LookupAnswer | undefined, instance: Instance): void {
  assert.deepEqual(answer, { kind: 'found', instance });
}
