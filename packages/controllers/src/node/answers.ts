/**
 * What the cloud has said about nodes that something is to be done about. Asking never holds up anybody:
 * an answer that comes in wakes its node up. An answer counts for one Node object and for the providerID
 * that was asked about, so that neither a namesake nor another instance is mistaken for it (P2), and a
 * failure never takes the place of an absence (P3). Once a newer answer is required, failures do not end
 * the asking: it goes on with a back-off until the answer is there. What is settled is let go of; the
 * look-up keeps instances for a while longer.
 */
import type { CloudAnswer } from '@tandem/core/node-init';
import type { Answer, InstanceLookup, Unknown } from '@tandem/provider/lookup';
import { CcmError, type Clock, wholeBackoffMs } from '@tandem/runtime';
import { nodeRefOf, type RefSource } from '../loop/index.ts';
import type { Node } from './node-state.ts';

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
  /** Called when an answer has come in for a node that is still there. */
  readonly onAnswer: (record: Node, answer: CloudAnswer) => void;
}

/** What is known of one node, and what was asked about it. */
export interface AnswerEntry {
  asked: NodeIdentity;
  answer: CloudAnswer | null;
  isAsking: boolean;
  /** Answers that rest on older data do not count. */
  sinceMs: number;
  /** When the cloud wants to be asked again at the earliest. */
  notBeforeMs: number;
  /** Answers in a row that found nothing. */
  misses: number;
  /** Set from when a newer answer is required until it is there. */
  due: Due | undefined;
  failure: { readonly code: string; readonly reason: string } | undefined;
}

/** When a required answer is asked for next. */
interface Due {
  readonly atMs: number;
  /** Calls that failed since it was required; those that the cloud put off do not count. */
  readonly failures: number;
}

/** After failures. Refused nodes are looked up every minute anyway. */
const retryBackoff = { baseMs: 500, capMs: 60_000 };

export class Answers {
  readonly #options: AnswersOptions;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** The answer that counts for the node as it is now, or null. */
  find({ state }: Node, node: NodeIdentity): CloudAnswer | null {
    const entry = state.answer;
    if (entry === undefined || entry.answer === null) return null;
    const { answer } = entry;
    if (!isAbout(node, entry.asked, answer)) return null;
    return this.#counts(entry, answer) ? answer : null;
  }

  /** Whether the cloud was asked about the node and did not find its instance. */
  isMissing({ state }: Node): boolean {
    const kind = state.answer?.answer?.kind;
    return kind === 'absent' || kind === 'unknown';
  }

  /** How often in a row the cloud was asked about the node and none was found. */
  misses({ state }: Node): number {
    return state.answer?.misses ?? 0;
  }

  /** Answers from before then do not count any more. */
  require(record: Node, node: NodeIdentity, sinceMs: number): void {
    const entry = entryOf(record, node);
    if (outdate(entry, sinceMs)) entry.due = { atMs: sinceMs, failures: 0 };
  }

  /**
   * The node's instance may have changed at this time. Older answers no longer count, and the cloud is asked
   * once. If that fails, the next poll asks again.
   */
  hint(record: Node, node: RefSource, sinceMs: number): void {
    const entry = entryOf(record, node);
    if (outdate(entry, sinceMs) && this.#nowMs >= entry.notBeforeMs) this.ask(record, node);
  }

  /** In how long a required answer that could not be had is to be asked for again. */
  retryInMs({ state }: Node): number | undefined {
    const due = state.answer?.due;
    return due === undefined ? undefined : Math.max(0, due.atMs - this.#nowMs);
  }

  /** Asks for an answer that counts, where none is on its way; one that is remembered will do. */
  ask(record: Node, node: RefSource): void {
    const entry = entryOf(record, node);
    this.#ask(record, node, { entry, maxAgeMs: this.#nowMs - this.#oldestMs(entry) });
  }

  /** Asks once more; what was known counts until the answer comes. */
  askAgain(record: Node, node: RefSource): void {
    const entry = entryOf(record, node);
    if (this.#nowMs >= entry.notBeforeMs) this.#ask(record, node, { entry, maxAgeMs: 0 });
  }

  /** Nothing more is to be done: the next time, the look-up is asked. */
  release({ state }: Node): void {
    const entry = state.answer;
    if (entry === undefined) return;
    // A fresher one may have been asked for while the node was worked on.
    const isEnough = entry.answer !== null && this.#counts(entry, entry.answer);
    if (isEnough && !entry.isAsking) state.answer = undefined;
    entry.answer = null;
    entry.misses = 0;
  }

  get #nowMs(): number {
    return this.#options.clock.monotonic();
  }

  #ask(
    record: Node,
    node: RefSource,
    { entry, maxAgeMs }: { readonly entry: AnswerEntry; readonly maxAgeMs: number },
  ): void {
    if (entry.isAsking) return;
    entry.isAsking = true;
    const { name, uid, providerID } = node;
    const asked = { name, uid, providerID };
    const priority = entry.due?.failures === 0 ? 'urgent' : 'routine';
    // It never rejects without a signal, and a signal with 5,000 listeners is slow.
    void this.#options.lookup
      .ask(nodeRefOf(node), { maxAgeMs, priority })
      .then((answer) => this.#take(record, { entry, asked, answer }));
  }

  #take(
    record: Node,
    taken: { readonly entry: AnswerEntry; readonly asked: NodeIdentity; readonly answer: Answer },
  ): void {
    const { entry, asked, answer } = taken;
    entry.isAsking = false;
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

  /** Of failures of one kind the first tells: later ones differ in request ids and seconds only. */
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

  /** A failure counts until it is time to ask again. */
  #counts(entry: AnswerEntry, { kind, asOfMs }: CloudAnswer): boolean {
    if (kind !== 'unknown') return asOfMs >= this.#oldestMs(entry);
    if (asOfMs < entry.sinceMs) return false;
    return entry.due === undefined || entry.due.atMs > this.#nowMs;
  }

  #oldestMs({ sinceMs }: AnswerEntry): number {
    return Math.max(sinceMs, this.#nowMs - this.#options.maxAgeMs);
  }
}

function entryOf({ state }: Node, { name, uid, providerID }: NodeIdentity): AnswerEntry {
  state.answer ??= {
    asked: { name, uid, providerID },
    answer: null,
    isAsking: false,
    sinceMs: Number.NEGATIVE_INFINITY,
    notBeforeMs: 0,
    misses: 0,
    due: undefined,
    failure: undefined,
  };
  return state.answer;
}

/** Answers from before then do not count any more. Whether that is news. */
function outdate(entry: AnswerEntry, sinceMs: number): boolean {
  if (sinceMs <= entry.sinceMs) return false;
  const { answer } = entry;
  const isMiss = answer?.kind === 'absent' || answer?.kind === 'unknown';
  // What is too old to count is no miss either.
  if (isMiss && answer.asOfMs >= entry.sinceMs && answer.asOfMs < sinceMs) entry.misses--;
  entry.sinceMs = sinceMs;
  return true;
}

/** A node that was looked up by its name and has got the providerID that was found is still that one. */
function isAbout(node: NodeIdentity, asked: NodeIdentity, answer: CloudAnswer): boolean {
  if (node.providerID === asked.providerID) return true;
  return (
    asked.providerID === '' &&
    answer.kind === 'found' &&
    answer.instance.providerID === node.providerID
  );
}

/** Right after the wait that the cloud asked for, or else after a back-off. */
function dueAfter(due: Due | undefined, { retry }: CcmError, nowMs: number): Due | undefined {
  if (due === undefined) return undefined;
  if (typeof retry === 'object') return { ...due, atMs: nowMs + retry.afterMs };
  const failures = due.failures + 1;
  return { atMs: nowMs + wholeBackoffMs(retryBackoff, failures), failures };
}

/** While the cloud is left alone for a while, what counts is why. */
function rootOf(err: CcmError): CcmError {
  return err.code === 'CloudThrottled' && err.cause instanceof CcmError ? err.cause : err;
}
