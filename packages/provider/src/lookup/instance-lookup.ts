/**
 * The one way to ask the cloud about a node, shared by all controllers. Questions that come close together
 * become one call. Questions about the same node share one answer, and a recent enough answer needs no call.
 * The provider says how old an answer is; an answer older than the question allows does not count. A question
 * with age 0 is answered only by a call that begins after the question and goes to the source. Calls are
 * bounded in size, number, rate and time, and pause when the cloud asks for it. A caller with many nodes asks
 * about all of them at once, which fills the calls. Every failure becomes `unknown`, never `absent` (P3).
 */
import { quote } from '@tandem/core/node-address';
import type { CcmError, Clock, Logger, Metrics, Random, Timer } from '@tandem/runtime';
import { CallRate } from '../calls/index.ts';
import type { InstanceKey, NodeRef, Provider, ProviderLimits } from '../plug/index.ts';
import { type Answer, unknown } from './answer.ts';
import { CallGate } from './call-gate.ts';
import { callProvider, type CallResult } from './call-provider.ts';
import { CallSize } from './call-size.ts';
import { LookupError } from './failure.ts';
import { FirstAnswer } from './first-answer.ts';
import { identify } from './identify.ts';
import { type CachedInstance, InstanceCache, keyOf, type NodeIdentity } from './instance-cache.ts';
import { limitsDefault, limitsOf, waitingMax } from './limits.ts';
import { type AnswerSource, type LookupMetrics, lookupMetrics } from './lookup-metrics.ts';
import { type Notice, type NoticeListener, Notices } from './notices.ts';
import { type AskPriority, Question } from './question.ts';
import { Questions } from './questions.ts';

export interface InstanceLookupOptions {
  readonly provider: Provider;
  /** Limits that override the provider's own. */
  readonly limits?: Partial<ProviderLimits>;
  /** Instances older than this are dropped. */
  readonly keepMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface AskOptions {
  /** The accepted age of the data; 0 asks the source itself, now. */
  readonly maxAgeMs: number;
  readonly signal?: AbortSignal;
  readonly priority?: AskPriority;
}

/** Twice the period of upstream's poll (5 min), which is longer than any caller accepts. */
const keepMsDefault = 600_000;

export class InstanceLookup {
  readonly #provider: Provider;
  readonly #limits: ProviderLimits;
  readonly #keepMs: number;
  readonly #clock: Clock;
  readonly #metrics: LookupMetrics;

  readonly #cache = new InstanceCache();
  /** UIDs of existing nodes without a providerID whose instance was found. */
  readonly #found = new Set<string>();
  /** UIDs of existing nodes that the provider last called `notOurs`. */
  readonly #notOurs = new Set<string>();
  readonly #questions = new Questions();
  readonly #rate: CallRate;
  readonly #gate: CallGate;
  readonly #size: CallSize;
  readonly #notices: Notices;
  readonly #firstAnswer: FirstAnswer;
  readonly #abort = new AbortController();
  #callsUnderWay = 0;
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(options: InstanceLookupOptions) {
    const { provider, clock, random, metrics, logger } = options;
    this.#provider = provider;
    this.#limits = limitsOf(provider, options.limits);
    this.#keepMs = options.keepMs ?? keepMsDefault;
    this.#clock = clock;
    this.#metrics = lookupMetrics(metrics, provider.name);
    this.#rate = new CallRate(clock, this.#limits);
    this.#gate = new CallGate(clock, random.fork('cloud-calls'));
    this.#size = new CallSize(this.#limits.batchSize);
    this.#firstAnswer = new FirstAnswer(provider.name, logger);
    const onNotice = (notice: Notice): void => this.#outdate(notice);
    this.#notices = new Notices({ provider, clock, logger, metrics: this.#metrics, onNotice });
    this.#notices.start(this.#abort.signal);
  }

  get providerName(): string {
    return this.#provider.name;
  }

  /** The maximum number of nodes in one call, for callers that ask in groups. */
  get batchSize(): number {
    return this.#limits.batchSize;
  }

  /** Returns the key of the instance that a providerID names; undefined for another cloud's providerID. */
  identify(providerID: string): InstanceKey | undefined {
    return identify(this.#provider, providerID);
  }

  /** Whether the node's providerID belongs to this cloud. */
  owns({ providerID }: Pick<NodeRef, 'providerID'>): boolean {
    return providerID === '' || this.identify(providerID) !== undefined;
  }

  /** Rejects only if the caller's own signal aborts. */
  async ask(node: NodeRef, options: AskOptions): Promise<Answer> {
    options.signal?.throwIfAborted();
    const known = this.#fromCache(node, options);
    if (known !== undefined) return this.#count('cache', known);
    const sinceMs = this.#clock.monotonic() - options.maxAgeMs;
    const shared = this.#findShared(node, options);
    if (shared !== undefined) {
      const answer = await this.#count('shared', this.#waitFor(shared, options));
      // The provider's copy may be young enough for the first caller and too old for others.
      const isYoung = answer.kind === 'unknown' || answer.asOfMs >= sinceMs;
      // Two nodes may have the same providerID, and only one of them may be ours.
      const isOthers = answer.kind === 'notOurs' && shared.node.uid !== node.uid;
      if (isYoung && !isOthers) return answer;
    }
    const refusal = this.#refusalFor(node, options.priority ?? 'routine');
    if (refusal !== undefined) {
      return this.#count('refused', unknown(refusal, this.#clock.monotonic()));
    }
    return this.#count('call', this.#waitFor(this.#newQuestion(node, options), options));
  }

  /** Returns the last instance found for the node while the cache has it, whatever its age. Makes no call. */
  recall(node: NodeIdentity): CachedInstance | undefined {
    return this.#cache.find(node, Number.NEGATIVE_INFINITY);
  }

  /**
   * Whether the instance of a node without a providerID was ever found. Nothing else distinguishes such a node from a new
   * node of another cloud.
   */
  hasFound({ uid }: Pick<NodeRef, 'uid'>): boolean {
    return this.#found.has(uid);
  }

  /** Whether the provider's last answer was `notOurs`, whatever the node's providerID. */
  isNotOurs({ uid }: Pick<NodeRef, 'uid'>): boolean {
    return this.#notOurs.has(uid);
  }

  /** Notifies the subscriber of instances that may have changed, so that it looks their nodes up. */
  subscribe(listener: NoticeListener): () => void {
    return this.#notices.subscribe(listener);
  }

  /**
   * Records that the node's labels changed. Providers may depend on labels, so answers of calls that began before the
   * change count as older than the change.
   */
  renew(node: NodeRef): void {
    this.#questions.renew(keyOf(node), copyOf(node));
  }

  /** Forgets a node that is gone, and drops answers about it that are still to come. */
  forget(node: NodeIdentity): void {
    // An earlier question may have been asked before the node got its providerID.
    for (const known of [node, { ...node, providerID: '' }]) {
      this.#cache.forget(known);
      this.#size.forget(keyOf(known));
      this.#questions.forget(keyOf(known), node.uid);
    }
    this.#found.delete(node.uid);
    this.#notOurs.delete(node.uid);
    this.#metrics.cached(this.#cache.size);
  }

  /** Ends calls in flight and answers waiting callers. Safe to call twice. */
  close(): void {
    const closed = closedError(this.#provider.name);
    this.#abort.abort(closed);
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    this.#answerWaiting(() => closed);
  }

  #count<T>(source: AnswerSource, answer: T): T {
    this.#metrics.asked(source);
    return answer;
  }

  #fromCache(node: NodeRef, options: AskOptions): Answer | undefined {
    if (options.maxAgeMs <= 0) return undefined;
    const known = this.#cache.find(node, this.#clock.monotonic() - options.maxAgeMs);
    return known === undefined ? undefined : { kind: 'found', ...known };
  }

  #findShared(node: NodeRef, options: AskOptions): Question | undefined {
    const key = keyOf(node);
    const waiting = this.#questions.findWaiting(key);
    if (waiting !== undefined || options.maxAgeMs <= 0) return waiting;
    return this.#questions.findUnderWay(key, this.#clock.monotonic() - options.maxAgeMs);
  }

  #refusalFor(node: NodeRef, priority: AskPriority): CcmError | undefined {
    const { name } = this.#provider;
    if (this.#abort.signal.aborted) return closedError(name);
    if (!this.owns(node)) return foreignError(name, node);
    const { waiting } = this.#questions;
    if (waiting >= waitingMax) {
      return new LookupError(
        'TooManyLookups',
        `${waiting} lookups are already waiting for ${name}`,
      );
    }
    return this.#gate.refusal(name, priority);
  }

  #newQuestion(node: NodeRef, options: AskOptions): Question {
    const question = new Question({
      // A copy, because the node may change before the call begins.
      node: copyOf(node),
      key: keyOf(node),
      sinceMs: this.#clock.monotonic(),
      needsSinceMs: this.#needsSinceMs(options),
    });
    this.#questions.add(question);
    const isFull = this.#questions.waiting >= this.#size.nodes;
    this.#wakeAfter(isFull ? 0 : this.#limits.gatherPauseMs);
    return question;
  }

  #needsSinceMs({ maxAgeMs }: AskOptions): number {
    return maxAgeMs <= 0 ? Number.POSITIVE_INFINITY : this.#clock.monotonic() - maxAgeMs;
  }

  #waitFor(question: Question, options: AskOptions): Promise<Answer> {
    question.needsSinceMs = Math.max(question.needsSinceMs, this.#needsSinceMs(options));
    if (options.priority === 'urgent') {
      question.priority = options.priority;
      this.#wakeAfter(limitsDefault.gatherPauseMs);
    }
    return question.wait(options.signal, () => this.#questions.drop(question));
  }

  /** Keeps one timer, for the earliest wake-up. Each wake-up checks everything. */
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
      const questions = this.#questions;
      if (questions.waiting === 0) return;
      const isFull = questions.waiting >= this.#size.nodes;
      const ripeInMs = isFull ? 0 : this.#ripeMs() - this.#clock.monotonic();
      const waitMs = Math.max(ripeInMs, this.#rate.waitMs());
      if (waitMs > 0) {
        this.#wakeAfter(waitMs);
        return;
      }
      this.#rate.take();
      void this.#call(questions.begin(this.#size, this.#clock.monotonic()));
    }
  }

  /** When the waiting questions have been gathered for long enough. An urgent question uses the short default times. */
  #ripeMs(): number {
    const { oldestMs, newestMs, isUrgent } = this.#questions;
    const { gatherPauseMs, gatherMsMax } = isUrgent ? limitsDefault : this.#limits;
    return Math.min(oldestMs + gatherMsMax, newestMs + gatherPauseMs);
  }

  async #call(batch: readonly Question[]): Promise<void> {
    const begunAtMs = this.#clock.monotonic();
    this.#callsUnderWay++;
    const result = await callProvider({
      provider: this.#provider,
      // A copy: callers that join later check the age themselves.
      asked: batch.map(({ node, needsSinceMs }) => ({ node, needsSinceMs })),
      clock: this.#clock,
      deadlineMs: this.#limits.deadlineMs,
      signal: this.#abort.signal,
    });
    this.#callsUnderWay--;
    this.#questions.end(batch);
    this.#metrics.ended(result, this.#clock.monotonic() - begunAtMs);
    this.#size.ended(batch, result);
    // A call that the shutdown aborted says nothing about the cloud.
    if (!this.#abort.signal.aborted) this.#firstAnswer.note(result);
    this.#tell(batch, result);
    this.#settleGate(result);
    this.#beginCalls();
  }

  #tell(batch: readonly Question[], { answers }: CallResult): void {
    this.#cache.dropOlderThan(this.#clock.monotonic() - this.#keepMs);
    for (const [index, question] of batch.entries()) {
      const given = answers[index];
      if (given === undefined) continue;
      const answer = question.isOfOldNode ? asOfCall(question, given) : given;
      if (question.isForgotten) this.#size.forget(question.key);
      else this.#keep(question, answer);
      question.answer(answer);
    }
    this.#metrics.cached(this.#cache.size);
  }

  #keep({ node, isOutdated }: Question, answer: Answer): void {
    if (answer.kind === 'unknown') return;
    if (!isOutdated) this.#cache.take(node, answer);
    const { uid, providerID } = node;
    if (answer.kind === 'found' && providerID === '') this.#found.add(uid);
    if (answer.kind === 'notOurs') {
      this.#notOurs.add(uid);
      this.#found.delete(uid);
    } else this.#notOurs.delete(uid);
  }

  /** After a notice, cached answers from before it, and answers of calls begun before it, no longer count. */
  #outdate({ keys }: Notice): void {
    this.#cache.outdate(keys);
    this.#metrics.cached(this.#cache.size);
    this.#questions.outdate(({ node }) => {
      const key = this.identify(node.providerID);
      return keys.size === 0 || key === undefined || keys.has(key);
    });
  }

  /** Answers waiting callers at once, with the time to wait, while the gate allows no call. */
  #settleGate({ failure }: CallResult): void {
    if (failure === undefined) {
      this.#gate.succeeded();
      return;
    }
    this.#gate.failed(failure);
    this.#answerWaiting(({ priority }) => this.#gate.refusal(this.#provider.name, priority));
  }

  /** Answers the questions that cannot be asked. The others stay in the queue. */
  #answerWaiting(refusalOf: (question: Question) => CcmError | undefined): void {
    const nowMs = this.#clock.monotonic();
    for (const question of this.#questions.takeWaiting()) {
      const refusal = refusalOf(question);
      if (refusal === undefined) this.#questions.add(question);
      else question.answer(unknown(refusal, nowMs));
    }
  }
}

/** Returns only the fields of the plug, frozen, because a provider gets the object. */
function copyOf({ name, uid, providerID, labels, systemUUID }: NodeRef): NodeRef {
  return Object.freeze({ name, uid, providerID, labels: Object.freeze({ ...labels }), systemUUID });
}

/** The answer describes the node at the start of the call, even if the data is newer. */
function asOfCall({ begunAtMs = 0 }: Question, answer: Answer): Answer {
  return { ...answer, asOfMs: Math.min(answer.asOfMs, begunAtMs) };
}

function closedError(provider: string): LookupError {
  return new LookupError('LookupClosed', `The program is stopping and no longer asks ${provider}`);
}

function foreignError(provider: string, { name, providerID }: NodeIdentity): LookupError {
  const message = `Node ${quote(name)} has providerID ${quote(providerID, 80)}, which does not belong to ${provider}`;
  return new LookupError('ForeignProviderID', message, { retry: 'never' });
}
