/**
 * When a manager may delete a node (P3): its machine is really gone, it is not Ready, and this very
 * process has heard at least twice, a grace apart, from the source itself that it is absent, and not
 * heard since then that it is there. What an error or half an answer left open is no evidence. Without a
 * providerID the node must also have been found by this very process: it may be another cloud's.
 */
import type { LookupAnswers, LookupOptions, NodeRef } from '@tandem/provider/plug';
import { isReady, isTainted, type StoredNode } from './stored-node.ts';
import type { Truth } from './truth.ts';

/** What one process has been told by the cloud. */
export class Evidence {
  /** When each Node's machine was said to be absent, in a row. */
  readonly #absentAtMs = new Map<string, number[]>();
  /** Each Node whose machine was ever said to be there. */
  readonly #found = new Set<string>();

  told(
    nodes: readonly NodeRef[],
    answers: LookupAnswers,
    { maxAgeMs, atMs }: Pick<LookupOptions, 'maxAgeMs'> & { readonly atMs: number },
  ): void {
    for (const { name, uid } of nodes) {
      const answer = answers.get(name);
      // Nonsense that looks found is no answer.
      const isFound = answer?.kind === 'found' && answer.instance.providerID !== '';
      if (isFound) this.#absentAtMs.delete(uid);
      if (isFound) this.#found.add(uid);
      if (answer?.kind !== 'absent' || maxAgeMs > 0) continue;
      const times = this.#absentAtMs.get(uid) ?? [];
      times.push(atMs);
      this.#absentAtMs.set(uid, times);
    }
  }

  hasFound(uid: string): boolean {
    return this.#found.has(uid);
  }

  absentAtMs(uid: string): readonly number[] {
    return this.#absentAtMs.get(uid) ?? [];
  }
}

/** Why the node must not be deleted; nothing where it may. */
export function objectionTo(
  node: StoredNode,
  known: { readonly truth: Truth; readonly evidence: Evidence; readonly graceMs: number },
): string | undefined {
  const { name, uid } = node.metadata;
  const { truth, evidence, graceMs } = known;
  const { providerID = '' } = node.spec;
  const machine = truth.ownOf(uid);
  if (truth.isRunning(machine)) return `${name} was deleted while its machine ${machine} runs`;
  if (isReady(node)) return `${name} was deleted while it is Ready`;
  if (providerID === '' && !isTainted(node)) return `${name} was deleted without a providerID`;
  if (providerID === '' && !evidence.hasFound(uid)) {
    return `${name} was deleted without a providerID, and was never found`;
  }
  if (providerID !== '' && !providerID.startsWith('simulated://')) {
    return `${name} was deleted, which is another cloud's`;
  }
  const times = evidence.absentAtMs(uid);
  const lengthMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (times.length >= 2 && lengthMs >= graceMs) return undefined;
  return `${name} was deleted after ${times.length} absent answers within ${Math.round(lengthMs)} ms`;
}
