/**
 * The questions that wait to be asked, in order, and those that a call under way will answer. A question
 * for a node is at most once among each.
 */
import type { NodeRef } from '../plug/index.ts';
import type { CallSize } from './call-size.ts';
import type { Question } from './question.ts';

export class Questions {
  readonly #waiting = new Map<string, Question>();
  readonly #underWay = new Map<string, Question>();
  #newestMs = Number.NEGATIVE_INFINITY;

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Since when the first of those that wait does so. */
  get oldestMs(): number {
    for (const { sinceMs } of this.#waiting.values()) return sinceMs;
    return Number.POSITIVE_INFINITY;
  }

  /** When the last of those that wait came. */
  get newestMs(): number {
    return this.#newestMs;
  }

  get isUrgent(): boolean {
    for (const { priority } of this.#waiting.values()) if (priority === 'urgent') return true;
    return false;
  }

  /** One whose call has not begun: its answer will be as fresh as anybody can ask for. */
  findWaiting(key: string): Question | undefined {
    return this.#waiting.get(key);
  }

  /** One whose call began at `sinceMs` or later. */
  findUnderWay(key: string, sinceMs: number): Question | undefined {
    const question = this.#underWay.get(key);
    return (question?.begunAtMs ?? Number.NEGATIVE_INFINITY) >= sinceMs ? question : undefined;
  }

  add(question: Question): void {
    this.#waiting.set(question.key, question);
    this.#newestMs = question.sinceMs;
  }

  drop(question: Question): void {
    if (this.#waiting.get(question.key) === question) this.#waiting.delete(question.key);
  }

  /** The next ones for one call. Of two nodes with one name the second waits for another call. */
  begin(size: Pick<CallSize, 'nodes' | 'choose'>, begunAtMs: number): readonly Question[] {
    const batch: Question[] = [];
    const names = new Set<string>();
    for (const question of size.choose(this.#waiting.values())) {
      if (batch.length >= size.nodes) break;
      if (names.has(question.node.name)) continue;
      names.add(question.node.name);
      batch.push(question);
    }
    for (const question of batch) {
      this.#waiting.delete(question.key);
      question.begunAtMs = begunAtMs;
      this.#underWay.set(question.key, question);
    }
    return batch;
  }

  end(batch: readonly Question[]): void {
    for (const question of batch) {
      if (this.#underWay.get(question.key) === question) this.#underWay.delete(question.key);
    }
  }

  /** What is answered about a node that is gone is not kept; who asked still gets it. */
  forget(key: string, uid: string): void {
    for (const question of [this.#waiting.get(key), this.#underWay.get(key)]) {
      if (question?.node.uid === uid) question.isForgotten = true;
    }
  }

  /** What waits is asked about the node as it is now; what is under way was asked about another. */
  renew(key: string, node: NodeRef): void {
    const [waiting, underWay] = [this.#waiting.get(key), this.#underWay.get(key)];
    if (waiting?.node.uid === node.uid) waiting.node = node;
    if (underWay?.node.uid === node.uid) underWay.isOfOldNode = true;
  }

  /** What calls under way bring about these may be from before a change. */
  outdate(isConcerned: (question: Question) => boolean): void {
    for (const question of this.#underWay.values()) {
      if (isConcerned(question)) question.isOutdated = true;
    }
  }

  /** All that wait, taken out: when they cannot be asked. */
  takeWaiting(): readonly Question[] {
    const questions = [...this.#waiting.values()];
    this.#waiting.clear();
    return questions;
  }
}
