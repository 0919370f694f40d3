/** A claim about every provider, and the helpers by which claims ask the provider. */
import assert from 'node:assert/strict';
import type { Instance, LookupAnswer, LookupAnswers, NodeRef } from '../plug/index.ts';
import type { InstanceOrder, Lab } from './lab.ts';

export interface Claim {
  /** A sentence whose subject is the provider. */
  readonly name: string;
  /** Rejects with an `AssertionError` if the claim does not hold. */
  readonly check: (lab: Lab) => Promise<void>;
}

/** The ages for an answer from a cache, if the provider has one, and for one from the source. */
export const bothAges: readonly number[] = [60_000, 0];

export function dualStack(name: string, host = 1): InstanceOrder {
  return {
    name,
    addresses: [
      { type: 'InternalIP', address: `10.1.0.${host}` },
      { type: 'InternalIP', address: `fd00:1::${host}` },
    ],
  };
}

/** An uninitialised node; frozen, because no provider may change it. */
export function nodeOf(name: string, providerID = '', labels: NodeRef['labels'] = {}): NodeRef {
  return Object.freeze({ name, uid: `uid of ${name}`, providerID, labels, systemUUID: '' });
}

export async function lookUp(
  lab: Lab,
  nodes: readonly NodeRef[],
  maxAgeMs = 0,
): Promise<LookupAnswers> {
  const { signal } = new AbortController();
  const frozen = Object.freeze([...nodes]);
  return lab.waitFor(lab.provider.lookup(frozen, { maxAgeMs, signal }));
}

export async function lookUpOne(lab: Lab, node: NodeRef, maxAgeMs = 0): Promise<LookupAnswer> {
  const answer = (await lookUp(lab, [node], maxAgeMs)).get(node.name);
  assert(answer !== undefined, `the answer has no entry for ${node.name}`);
  return answer;
}

/**
 * Returns the answers of both ages that must show the current state of the cloud. It leaves out an
 * answer from a cache that states that it is older.
 */
export async function lookUpAsOfNow(lab: Lab, node: NodeRef): Promise<LookupAnswer[]> {
  const nowMs = lab.clock.monotonic();
  const answers: LookupAnswer[] = [];
  for (const maxAgeMs of bothAges) {
    const answer = await lookUpOne(lab, node, maxAgeMs);
    const isOlder = 'asOfMs' in answer && answer.asOfMs < nowMs;
    if (maxAgeMs === 0 || !isOlder) answers.push(answer);
  }
  return answers;
}

export function assertFound(answer: LookupAnswer | undefined, instance: Instance): void {
  assert.deepEqual(withoutTime(answer), { kind: 'found', instance });
}

export function assertAbsent(answer: LookupAnswer | undefined): void {
  assert.deepEqual(withoutTime(answer), { kind: 'absent' });
}

/** Returns the answer without its time. */
export function withoutTime(answer: LookupAnswer | undefined): unknown {
  return answer === undefined || !('asOfMs' in answer)
    ? answer
    : Object.fromEntries(Object.entries(answer).filter(([field]) => field !== 'asOfMs'));
}
