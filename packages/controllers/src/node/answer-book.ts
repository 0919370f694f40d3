/**
 * What the cloud has said about nodes that something is to be done about. Asking never holds up anybody:
 * an answer that comes in wakes its node up. An answer counts for one Node object and for the providerID
 * that was asked about, so that neither a namesake nor another instance is mistaken for it (P2), and a
 * failure never takes the place of an absence (P3). What is settled is let go of; the look-up keeps
 * instances for a while longer.
 */
import type { CloudAnswer } from '@tandem/core/node-init';
import type { Answer, InstanceLookup } from '@tandem/provider/lookup';
import { CcmError, type Clock } from '@tandem/runtime';

/** A node as far as it is asked about. */
export interface AskedNode {
  readonly name: string;
  readonly uid: string;
  readonly providerID: string;
}

export interface AnswerBookOptions {
  readonly lookup: Pick<InstanceLookup, 'ask'>;
  readonly clock: Clock;
  /** An answer that is older than this is not gone by. */
  readonly maxAgeMs: number;
  /** Called when an answer has come in. */
  readonly onAnswer: (node: AskedNode, answer: CloudAnswer) => void;
}

interface Entry {
  asked: AskedNode;
  answer: CloudAnswer | null;
  isAsking: boolean;
  /** Answers of calls that began before then do not count. */
  sinceMs: number;
  /** When the cloud wants to be asked again at the earliest. */
  notBeforeMs: number;
  /** Answers in a row that found nothing. */
  misses: number;
  failure: { readonly code: string; readonly reason: string } | undefined;
}

export class AnswerBook {
  readonly #options: AnswerBookOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: AnswerBookOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The answer that can be gone by, or null. */
  find(node: AskedNode): CloudAnswer | null {
    const entry = this.#entries.get(node.uid);
    if (entry === undefined || entry.answer === null) return null;
    const { answer } = entry;
    if (!isAbout(node, entry.asked, answer)) return null;
    return this.#counts(entry, answer) ? answer : null;
  }

  /** How often in a row the cloud was asked about the node and none was found. */
  misses(uid: string): number {
    return this.#entries.get(uid)?.misses ?? 0;
  }

  /** Answers from before then do not count any more. */
  require(node: AskedNode, sinceMs: number): void {
    const entry = this.#entryOf(node);
    entry.sinceMs = Math.max(entry.sinceMs, sinceMs);
  }

  /** Asks for an answer that counts, where none is on its way; one that is remembered will do. */
  ask(node: AskedNode): void {
    const entry = this.#entryOf(node);
    this.#ask(node, entry, this.#options.clock.monotonic() - this.#oldestMs(entry));
  }

  /** Asks once more; what was known counts until the answer comes. */
  askAgain(node: AskedNode): void {
    const entry = this.#entryOf(node);
    if (this.#options.clock.monotonic() >= entry.notBeforeMs) this.#ask(node, entry, 0);
  }

  /** Nothing more is to be done: the next time, the look-up is asked. */
  release(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    // A fresher one may have been asked for while the node was worked on.
    const isEnough = entry.answer !== null && this.#counts(entry, entry.answer);
    if (isEnough && !entry.isAsking) this.#entries.delete(uid);
    entry.answer = null;
    entry.misses = 0;
  }

  forget(uid: string): void {
    this.#entries.delete(uid);
  }

  #ask(node: AskedNode, entry: Entry, maxAgeMs: number): void {
    if (entry.isAsking) return;
    entry.isAsking = true;
    const { name, uid, providerID } = node;
    const asked = { name, uid, providerID };
    // It never rejects without a signal, and a signal with 5,000 listeners is slow.
    void this.#options.lookup
      .ask(asked, { freshness: 'cached', maxAgeMs })
      .then((answer) => this.#take(asked, entry, answer));
  }

  #take(asked: AskedNode, entry: Entry, answer: Answer): void {
    entry.isAsking = false;
    if (this.#entries.get(asked.uid) !== entry) return;
    entry.asked = asked;
    entry.misses = answer.kind === 'found' ? 0 : entry.misses + 1;
    entry.answer = answer.kind === 'unknown' ? this.#unknown(entry, answer.err) : answer;
    if (answer.kind !== 'unknown') entry.failure = undefined;
    this.#options.onAnswer(asked, entry.answer);
  }

  /** Of failures of one kind the first tells: later ones differ in request ids and seconds only. */
  #unknown(entry: Entry, err: CcmError): CloudAnswer {
    if (typeof err.retry === 'object') {
      entry.notBeforeMs = this.#options.clock.monotonic() + err.retry.afterMs;
    }
    const cause = rootOf(err);
    if (entry.failure?.code !== cause.code) {
      entry.failure = { code: cause.code, reason: cause.message };
    }
    return { kind: 'unknown', reason: entry.failure.reason };
  }

  #counts(entry: Entry, answer: CloudAnswer): boolean {
    return answer.kind === 'unknown' || answer.askedAtMs >= this.#oldestMs(entry);
  }

  #oldestMs({ sinceMs }: Entry): number {
    return Math.max(sinceMs, this.#options.clock.monotonic() - this.#options.maxAgeMs);
  }

  #entryOf({ name, uid, providerID }: AskedNode): Entry {
    const known = this.#entries.get(uid);
    if (known !== undefined) return known;
    const entry: Entry = {
      asked: { name, uid, providerID },
      answer: null,
      isAsking: false,
      sinceMs: Number.NEGATIVE_INFINITY,
      notBeforeMs: 0,
      misses: 0,
      failure: undefined,
    };
    this.#entries.set(uid, entry);
    return entry;
  }
}

/** A node that was looked up by its name and has got the providerID that was found is still that one. */
function isAbout(node: AskedNode, asked: AskedNode, answer: CloudAnswer): boolean {
  if (node.providerID === asked.providerID) return true;
  return (
    asked.providerID === '' &&
    answer.kind === 'found' &&
    answer.instance.providerID === node.providerID
  );
}

/** While the cloud is left alone for a while, what counts is why. */
function rootOf(err: CcmError): CcmError {
  return err.code === 'CloudThrottled' && err.cause instanceof CcmError ? err.cause : err;
}
