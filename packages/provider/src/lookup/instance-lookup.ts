/**
 * The one way to ask the cloud about a node, shared by all controllers. Questions that come within a
 * few milliseconds become one call; whoever asks about the same node gets the same answer; an answer
 * that is young enough needs no call. An `authoritative` question is answered only by a call that begins
 * after it was asked. Calls are bounded in size, number, rate and time, and a cloud that asks to be left
 * alone is. Whoever has many nodes to look up asks about all of them at once rather than one after the
 * other: that is what fills a call. Whatever goes wrong comes out as `unknown`, never as `absent` (P3).
 */
import type { CcmError, Clock, Metrics, Random, Timer } from '@tandem/runtime';
import type { NodeRef, Provider, ProviderLimits } from '../plug/index.ts';
import { type Answer, unknown } from './answer.ts';
import { CallGate } from './call-gate.ts';
import { callProvider, type CallResult } from './call-provider.ts';
import { CallRate } from './call-rate.ts';
import { CallSize } from './call-size.ts';
import { LookupError } from './failure.ts';
import { InstanceCache, keyOf } from './instance-cache.ts';
import { Lane } from './lane.ts';
import { limitsOf, waitingMax, windowMsDefault } from './limits.ts';
import { type AnswerSource, type LookupMetrics, lookupMetrics } from './lookup-metrics.ts';
import { Question } from './question.ts';

export interface InstanceLookupOptions {
  readonly provider: Provider;
  /** In place of what the provider says of itself. */
  readonly limits?: Partial<ProviderLimits>;
  /** How long a question waits for others to share a call. */
  readonly windowMs?: number;
  /** Instances that are older than this are let go of, whoever might want them. */
  readonly keepMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
}

export type AskOptions = (
  | { readonly freshness: 'authoritative' }
  /** An answer will do whose call began no longer ago than this; 0 asks for a new one. */
  | { readonly freshness: 'cached'; readonly maxAgeMs: number }
) & { readonly signal?: AbortSignal };

/** Twice the period of upstream's poll (5 min): longer than anybody wants an address from memory. */
const keepMsDefault = 600_000;

export class InstanceLookup {
  readonly #provider: Provider;
  readonly #limits: ProviderLimits;
  readonly #windowMs: number;
  readonly #keepMs: number;
  readonly #clock: Clock;
  readonly #metrics: LookupMetrics;

  readonly #cache = new InstanceCache();
  readonly #lanes = { cached: new Lane('cached'), authoritative: new Lane('authoritative') };
  readonly #rate: CallRate;
  readonly #gate: CallGate;
  readonly #size: CallSize;
  readonly #abort = new AbortController();
  #callsUnderWay = 0;
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(options: InstanceLookupOptions) {
    const { provider, clock, random, metrics } = options;
    this.#provider = provider;
    this.#limits = limitsOf(provider, options.limits);
    this.#windowMs = options.windowMs ?? windowMsDefault;
    this.#keepMs = options.keepMs ?? keepMsDefault;
    this.#clock = clock;
    this.#metrics = lookupMetrics(metrics, provider.name);
    this.#rate = new CallRate(clock, this.#limits);
    this.#gate = new CallGate(clock, random.fork('cloud-calls'));
    this.#size = new CallSize(this.#limits.batchSize);
  }

  /** Nodes in one call, for those who ask about many in groups. */
  get batchSize(): number {
    return this.#limits.batchSize;
  }

  /** Whether the node is this cloud's, as far as its providerID tells. */
  owns({ providerID }: NodeRef): boolean {
    if (providerID === '') return true;
    try {
      return this.#provider.owns(providerID);
    } catch {
      // Whose it is cannot be told, and what is not owned is left alone.
      return false;
    }
  }

  /** Rejects only when the asker's own signal aborts. */
  async ask(node: NodeRef, options: AskOptions): Promise<Answer> {
    options.signal?.throwIfAborted();
    const known = this.#fromCache(node, options);
    if (known !== undefined) return this.#count('cache', known);
    const shared = this.#findShared(node, options);
    if (shared !== undefined) return this.#count('shared', this.#waitFor(shared, options));
    const refusal = this.#refusalFor(node);
    if (refusal !== undefined) return this.#count('refused', unknown(refusal));
    return this.#count('call', this.#waitFor(this.#newQuestion(node, options), options));
  }

  /** Lets go of what is known of a node that is gone. */
  forget(node: NodeRef): void {
    this.#cache.forget(node);
    this.#size.forget(keyOf(node));
    this.#metrics.cached(this.#cache.size);
  }

  /** Ends calls under way and answers whoever waits. Safe to call twice. */
  close(): void {
    const closed = closedError(this.#provider.name);
    this.#abort.abort(closed);
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    this.#answerWaiting(closed);
  }

  #count<T>(source: AnswerSource, answer: T): T {
    this.#metrics.asked(source);
    return answer;
  }

  #fromCache(node: NodeRef, options: AskOptions): Answer | undefined {
    if (options.freshness === 'authoritative' || options.maxAgeMs <= 0) return undefined;
    const known = this.#cache.find(node, this.#clock.monotonic() - options.maxAgeMs);
    return known === undefined ? undefined : { kind: 'found', ...known };
  }

  #findShared(node: NodeRef, options: AskOptions): Question | undefined {
    const key = keyOf(node);
    const { cached, authoritative } = this.#lanes;
    if (options.freshness === 'authoritative') return authoritative.findWaiting(key);
    const waiting = authoritative.findWaiting(key) ?? cached.findWaiting(key);
    if (waiting !== undefined || options.maxAgeMs <= 0) return waiting;
    const sinceMs = this.#clock.monotonic() - options.maxAgeMs;
    return cached.findUnderWay(key, sinceMs) ?? authoritative.findUnderWay(key, sinceMs);
  }

  #refusalFor(node: NodeRef): CcmError | undefined {
    const { name } = this.#provider;
    if (this.#abort.signal.aborted) return closedError(name);
    if (!this.owns(node)) return foreignError(name, node);
    const waiting = this.#lanes.cached.waiting + this.#lanes.authoritative.waiting;
    if (waiting >= waitingMax) {
      return new LookupError('TooManyLookups', `${waiting} look-ups wait for ${name} already`);
    }
    return this.#gate.refusal(name);
  }

  #newQuestion(node: NodeRef, { freshness }: AskOptions): Question {
    const question = new Question({
      // A copy, because the call may come later than the next change of the node.
      node: Object.freeze({ name: node.name, uid: node.uid, providerID: node.providerID }),
      key: keyOf(node),
      sinceMs: this.#clock.monotonic(),
    });
    this.#lanes[freshness].add(question);
    const isFull = this.#lanes[freshness].waiting >= this.#size.nodes;
    this.#wakeAfter(isFull ? 0 : this.#windowMs);
    return question;
  }

  #waitFor(question: Question, { signal }: AskOptions): Promise<Answer> {
    return question.wait(signal, () => {
      this.#lanes.cached.drop(question);
      this.#lanes.authoritative.drop(question);
    });
  }

  /** One timer at a time, the earliest that anybody wanted: what wakes looks at everything. */
  #wakeAfter(delayMs: number): void {
    const dueMs = this.#clock.monotonic() + delayMs;
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#beginCalls();
    });
    this.#timer = { dueMs, timer };
  }

  #beginCalls(): void {
    while (this.#callsUnderWay < this.#limits.concurrency) {
      const lane = this.#nextLane();
      if (lane.waiting === 0) return;
      const isFull = lane.waiting >= this.#size.nodes;
      const ripeInMs = isFull ? 0 : lane.oldestMs + this.#windowMs - this.#clock.monotonic();
      const waitMs = Math.max(ripeInMs, this.#rate.waitMs());
      if (waitMs > 0) {
        this.#wakeAfter(waitMs);
        return;
      }
      this.#rate.take();
      void this.#call(lane, lane.begin(this.#size, this.#clock.monotonic()));
    }
  }

  /** The one whose first question has waited longest, so that neither starves. */
  #nextLane(): Lane {
    const { cached, authoritative } = this.#lanes;
    return authoritative.oldestMs < cached.oldestMs ? authoritative : cached;
  }

  async #call(lane: Lane, batch: readonly Question[]): Promise<void> {
    const begunAtMs = this.#clock.monotonic();
    this.#callsUnderWay++;
    const result = await callProvider({
      provider: this.#provider,
      nodes: Object.freeze(batch.map(({ node }) => node)),
      freshness: lane.freshness,
      clock: this.#clock,
      deadlineMs: this.#limits.deadlineMs,
      signal: this.#abort.signal,
    });
    this.#callsUnderWay--;
    lane.end(batch);
    const durationMs = this.#clock.monotonic() - begunAtMs;
    this.#metrics.ended(result, { freshness: lane.freshness, durationMs });
    this.#size.ended(batch, result);
    this.#tell(batch, result);
    this.#settleGate(result);
    this.#beginCalls();
  }

  #tell(batch: readonly Question[], { answers }: CallResult): void {
    this.#cache.dropOlderThan(this.#clock.monotonic() - this.#keepMs);
    for (const [index, question] of batch.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      if (answer.kind !== 'unknown') this.#cache.take(question.node, answer);
      question.answer(answer);
    }
    this.#metrics.cached(this.#cache.size);
  }

  /** Who waits for a call that will not be made for a while is told at once, with how long. */
  #settleGate({ failure }: CallResult): void {
    if (failure === undefined) {
      this.#gate.succeeded();
      return;
    }
    this.#gate.failed(failure);
    const refusal = this.#gate.refusal(this.#provider.name);
    if (refusal !== undefined) this.#answerWaiting(refusal);
  }

  #answerWaiting(err: CcmError): void {
    for (const lane of [this.#lanes.cached, this.#lanes.authoritative]) {
      for (const question of lane.takeWaiting()) question.answer(unknown(err));
    }
  }
}

function closedError(provider: string): LookupError {
  return new LookupError('LookupClosed', `${provider} is not asked any more: the program ends`);
}

function foreignError(provider: string, { name }: NodeRef): LookupError {
  const message = `Node ${name} belongs to another cloud than ${provider}, by its providerID`;
  return new LookupError('ForeignProviderID', message, { retry: 'never' });
}
