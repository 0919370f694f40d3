/**
 * The answers of the cloud about nodes that need something. Asking never blocks: an answer wakes its
 * node. An answer counts for one Node object and for the providerID that the question named, so that
 * neither a namesake nor another instance is mistaken for it (P2), and a failure never replaces an
 * absence (P3). While a newer answer is required, failures do not end the questions: they continue with a
 * back-off until the answer arrives. Answers of settled nodes are dropped; the look-up keeps instances
 * for a while longer.
 */
import type { CloudAnswer } from '@tandem/core/node-init';
import type { Answer, InstanceLookup, Unknown } from '@tandem/provider/lookup';
import { CcmError, type Clock, wholeBackoffMs } from '@tandem/runtime';
import { nodeRefOf, type RefSource } from '../loop/index.ts';
import type { CloudNodeRecord } from './node-state.ts';

/** What an answer of the cloud is about. */
export interface NodeIdentity {
  readonly name: string;
  readonly uid: string;
  readonly providerID: string;
}

export interface AnswersOptions {
  readonly lookup: Pick<InstanceLookup, 'ask'>;
  readonly clock: Clock;
  /** Answers older than this are ignored. */
  readonly maxAgeMs: number;
  /** Called with each answer about a node that still exists. */
  readonly onAnswer: (record: CloudNodeRecord, answer: CloudAnswer) => void;
}

/** The answer about one node and the state of its question. */
export interface AnswerEntry {
  asked: NodeIdentity;
  answer: CloudAnswer | null;
  isAsking: boolean;
  /** How long the cloud took for the answer. */
  tookMs: number;
  /** Answers based on older data do not count. */
  sinceMs: number;
  /** The earliest time that the cloud accepts another question. */
  notBeforeMs: number;
  /** Consecutive answers without an instance. */
  misses: number;
  /** Set while a newer answer is required. */
  due: Due | undefined;
  failure: { readonly code: string; readonly reason: string } | undefined;
}

/** When the controller asks for a required answer again. */
interface Due {
  readonly atMs: number;
  /** Failed calls since then, without those that the cloud postponed. */
  readonly failures: number;
}

/** After failures. Refused nodes are looked up every minute anyway. */
const retryBackoff = { baseMs: 500, capMs: 60_000 };

export class Answers {
  readonly #options: AnswersOptions;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** The answer that counts for the current node, or null. */
  find({ state }: CloudNodeRecord, node: NodeIdentity): CloudAnswer | null {
    const entry = state.answer;
    if (entry === undefined || entry.answer === null) return null;
    const { answer } = entry;
    if (!isAbout(node, entry.asked, answer)) return null;
    return this.#counts(entry, answer) ? answer : null;
  }

  /** Whether the last answer has no instance for the node. */
  isMissing({ state }: CloudNodeRecord): boolean {
    const kind = state.answer?.answer?.kind;
    return kind === 'absent' || kind === 'unknown';
  }

  /** Consecutive answers without an instance for the node. */
  misses({ state }: CloudNodeRecord): number {
    return state.answer?.misses ?? 0;
  }

  /** Answers older than `sinceMs` no longer count. */
  require(record: CloudNodeRecord, node: NodeIdentity, sinceMs: number): void {
    const entry = entryOf(record, node);
    if (outdate(entry, sinceMs)) entry.due = { atMs: sinceMs, failures: 0 };
  }

  /**
   * The node's instance may have changed at this time. Older answers no longer count, and the cloud is
   * asked once. If that fails, the next poll asks again.
   */
  hint(record: CloudNodeRecord, node: RefSource, sinceMs: number): void {
    const entry = entryOf(record, node);
    if (outdate(entry, sinceMs) && this.#nowMs >= entry.notBeforeMs) this.ask(record, node);
  }

  /** The delay until a required answer is requested again; undefined if none is required. */
  retryInMs({ state }: CloudNodeRecord): number | undefined {
    const due = state.answer?.due;
    return due === undefined ? undefined : Math.max(0, due.atMs - this.#nowMs);
  }

  /** Asks for an answer that counts, unless a question is open. A cached answer suffices. */
  ask(record: CloudNodeRecord, node: RefSource): void {
    const entry = entryOf(record, node);
    this.#ask(record, node, { entry, maxAgeMs: this.#nowMs - this.#oldestMs(entry) });
  }

  /** Asks again. The known answer counts until the new one arrives. */
  askAgain(record: CloudNodeRecord, node: RefSource): void {
    const entry = entryOf(record, node);
    if (this.#nowMs >= entry.notBeforeMs) this.#ask(record, node, { entry, maxAgeMs: 0 });
  }

  /** The node is settled: the next question goes to the look-up. */
  release({ state }: CloudNodeRecord): void {
    const entry = state.answer;
    if (entry === undefined) return;
    // A newer answer may have been required during the turn of the node.
    const isEnough = entry.answer !== null && this.#counts(entry, entry.answer);
    if (isEnough && !entry.isAsking) state.answer = undefined;
    entry.answer = null;
    entry.misses = 0;
  }

  get #nowMs(): number {
    return this.#options.clock.monotonic();
  }

  #ask(
    record: CloudNodeRecord,
    node: RefSource,
    { entry, maxAgeMs }: { readonly entry: AnswerEntry; readonly maxAgeMs: number },
  ): void {
    if (entry.isAsking) return;
    entry.isAsking = true;
    const { name, uid, providerID } = node;
    const asked = { name, uid, providerID };
    const askedAtMs = this.#nowMs;
    const priority = entry.due?.failures === 0 ? 'urgent' : 'routine';
    // It never rejects without a signal, and a signal with 5,000 listeners is slow.
    void this.#options.lookup
      .ask(nodeRefOf(node), { maxAgeMs, priority })
      .then((answer) => this.#take(record, { entry, asked, askedAtMs, answer }));
  }

  #take(
    record: CloudNodeRecord,
    taken: {
      readonly entry: AnswerEntry;
      readonly asked: NodeIdentity;
      readonly askedAtMs: number;
      readonly answer: Answer;
    },
  ): void {
    const { entry, asked, askedAtMs, answer } = taken;
    entry.isAsking = false;
    entry.tookMs = this.#nowMs - askedAtMs;
    if (record.isGone) return;
    entry.asked = asked;
    if (answer.kind === 'found' || answer.kind === 'notOurs') entry.misses = 0;
    else if (answer.asOfMs >= entry.sinceMs) entry.misses++;
    entry.answer = answer.kind === 'unknown' ? this.#unknown(entry, answer) : answer;
    if (answer.kind !== 'unknown') {
      entry.failure = undefined;
      if (answer.asOfMs >= entry.sinceMs) entry.due = undefined;
    }
    this.#options.onAnswer(record, entry.answer);
  }

  /** The first failure of a kind is kept: later ones differ only in request ids and times. */
  #unknown(entry: AnswerEntry, { err, asOfMs }: Unknown): CloudAnswer {
    const nowMs = this.#nowMs;
    if (typeof err.retry === 'object') entry.notBeforeMs = nowMs + err.retry.afterMs;
    if (asOfMs >= entry.sinceMs) entry.due = dueAfter(entry.due, err, nowMs);
    const cause = rootOf(err);
    if (entry.failure?.code !== cause.code) {
      entry.failure = { code: cause.code, reason: cause.message };
    }
    return { kind: 'unknown', reason: entry.failure.reason, asOfMs };
  }

  /**
   * A failure counts until the next question is due. The time that the cloud took for an answer does not make the answer
   * older: otherwise no answer would count from a cloud that takes longer than the maximum age.
   */
  #counts(entry: AnswerEntry, { kind, asOfMs }: CloudAnswer): boolean {
    if (kind !== 'unknown') {
      return asOfMs >= Math.max(entry.sinceMs, this.#oldestMs(entry) - entry.tookMs);
    }
    if (asOfMs < entry.sinceMs) return false;
    return entry.due === undefined || entry.due.atMs > this.#nowMs;
  }

  #oldestMs({ sinceMs }: AnswerEntry): number {
    return Math.max(sinceMs, this.#nowMs - this.#options.maxAgeMs);
  }
}

function entryOf({ state }: CloudNodeRecord, { name, uid, providerID }: NodeIdentity): AnswerEntry {
  state.answer ??= {
    asked: { name, uid, providerID },
    answer: null,
    isAsking: false,
    tookMs: 0,
    sinceMs: Number.NEGATIVE_INFINITY,
    notBeforeMs: 0,
    misses: 0,
    due: undefined,
    failure: undefined,
  };
  return state.answer;
}

/** Older answers no longer count. Returns whether that is new. */
function outdate(entry: AnswerEntry, sinceMs: number): boolean {
  if (sinceMs <= entry.sinceMs) return false;
  const { answer } = entry;
  const isMiss = answer?.kind === 'absent' || answer?.kind === 'unknown';
  // An answer that is too old to count is not a miss either.
  if (isMiss && answer.asOfMs >= entry.sinceMs && answer.asOfMs < sinceMs) entry.misses--;
  entry.sinceMs = sinceMs;
  return true;
}

/** A node that was looked up by name and then got the found providerID is the same node. */
function isAbout(node: NodeIdentity, asked: NodeIdentity, answer: CloudAnswer): boolean {
  if (node.providerID === asked.providerID) return true;
  return (
    asked.providerID === '' &&
    answer.kind === 'found' &&
    answer.instance.providerID === node.providerID
  );
}

/** After the delay that the cloud asked for, else after a back-off. */
function dueAfter(due: Due | undefined, { retry }: CcmError, nowMs: number): Due | undefined {
  if (due === undefined) return undefined;
  if (typeof retry === 'object') return { ...due, atMs: nowMs + retry.afterMs };
  const failures = due.failures + 1;
  return { atMs: nowMs + wholeBackoffMs(retryBackoff, failures), failures };
}

/** The failure that made the cloud postpone calls, if that is known. */
function rootOf(err: CcmError): CcmError {
  return err.code === 'CloudThrottled' && err.cause instanceof CcmError ? err.cause : err;
}
