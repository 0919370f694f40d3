/**
 * The questions that wait for a call, in order, and the questions of calls in flight. Each of the two has at most one
 * question for a node.
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

  /** When the first waiting question came. */
  get oldestMs(): number {
    for (const { sinceMs } of this.#waiting.values()) return sinceMs;
    return Number.POSITIVE_INFINITY;
  }

  /** When the last waiting question came. */
  get newestMs(): number {
    return this.#newestMs;
  }

  get isUrgent(): boolean {
    for (const { priority } of this.#waiting.values()) if (priority === 'urgent') return true;
    return false;
  }

  /** Returns a waiting question. Its call has not begun, so its answer will be fresh enough for any caller. */
  findWaiting(key: string): Question | undefined {
    return this.#waiting.get(key);
  }

  /** Returns a question whose call began at `sinceMs` or later. */
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

  /** Takes the questions of the next call. If two nodes have the same name, the second one waits for another call. */
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

  /** Marks a node as gone. Its answers are not cached, but waiting callers still get them. */
  forget(key: string, uid: string): void {
    for (const question of [this.#waiting.get(key), this.#underWay.get(key)]) {
      if (question?.node.uid === uid) question.isForgotten = true;
    }
  }

  /** Updates waiting questions with the changed node, and marks questions in flight as outdated. */
  renew(key: string, node: NodeRef): void {
    const [waiting, underWay] = [this.#waiting.get(key), this.#underWay.get(key)];
    if (waiting?.node.uid === node.uid) waiting.node = node;
    if (underWay?.node.uid === node.uid) underWay.isOfOldNode = true;
  }

  /** Marks the answers of calls in flight about these instances, because they may predate a change. */
  outdate(isConcerned: (question: Question) => boolean): void {
    for (const question of this.#underWay.values()) {
      if (isConcerned(question)) question.isOutdated = true;
    }
  }

  /** Removes and returns all waiting questions, because they cannot be asked. */
  takeWaiting(): readonly Question[] {
    const questions = [...this.#waiting.values()];
    this.#waiting.clear();
    return questions;
  }
}
