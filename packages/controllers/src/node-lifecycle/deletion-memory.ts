/**
 * Counts the deletions within the brake's window, by this process and by earlier ones. Earlier processes recorded theirs
 * on the Lease: this class reads that record once a term, before the first deletion. It records a deletion before the node
 * is deleted, so if the process is killed at any point, the next process counts at least the nodes that are gone (L3, P7).
 * A cluster without deletions costs neither a read nor a write (P5).
 */
import {
  type Deletion,
  deletionMark,
  isRecent,
  memoryAnnotation,
  memoryText,
  readMemory,
  type Remembered,
} from '@tandem/core/lifecycle';
import type { Clock, Logger } from '@tandem/runtime';
import type { LifecycleSettings } from '@tandem/core/lifecycle';
import { isForbidden, type LeaseNotes, type Notes } from './lease-notes.ts';

export interface DeletionMemoryOptions {
  readonly notes: LeaseNotes;
  readonly settings: LifecycleSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Only renewals of the Lease get in between, and they are rare. */
const triesMax = 3;

export class DeletionMemory {
  readonly #options: DeletionMemoryOptions;
  /** The deletions of this process, by UID, on the monotonic clock. */
  readonly #own = new Map<string, number>();
  /** The recorded deletions of all processes, by mark, on the monotonic clock. */
  readonly #others = new Map<string, number>();
  #hasRecalled = false;
  #hasTold = false;

  constructor(options: DeletionMemoryOptions) {
    this.#options = options;
  }

  /** Returns whether recent deletions are known. Reads the Lease the first time. */
  async recall(signal: AbortSignal): Promise<boolean> {
    if (this.#hasRecalled) return true;
    const read = await this.#options.notes.read(signal);
    if (read.kind === 'failed') return this.#tell(read.err);
    this.#take(read.notes);
    return true;
  }

  /** Records deletions before they begin. Returns whether the nodes may be deleted. */
  async remember(uids: readonly string[], signal: AbortSignal): Promise<boolean> {
    if (uids.length === 0) return true;
    const { notes } = this.#options;
    for (let tries = 0; tries < triesMax; tries++) {
      const read = await notes.read(signal);
      if (read.kind === 'failed') return this.#tell(read.err);
      this.#take(read.notes);
      const note = { name: memoryAnnotation, text: this.#textWith(uids) };
      const wrote = await notes.write(read.notes, note, signal);
      if (wrote.kind === 'written') return true;
      if (wrote.kind === 'failed') return this.#tell(wrote.err);
    }
    return this.#tell(new Error(`The Lease changed ${triesMax} times while it was written to`));
  }

  /** Counts the deletion before the call: if the answer is lost, the node may be deleted. */
  deleting(uid: string): void {
    this.#own.set(uid, this.#options.clock.monotonic());
  }

  notDeleted(uid: string): void {
    this.#own.delete(uid);
  }

  /**
   * The recent deletions, on the monotonic clock. A recorded node that still exists was not
   * deleted.
   */
  recent(living: Iterable<string>): Deletion[] {
    this.#forgetOld();
    const own = [...this.#own].map(([uid, atMs]) => ({ uid, atMs }));
    if (this.#others.size === 0) return own;
    const known = new Set([...living, ...this.#own.keys()].map(deletionMark));
    const others = [...this.#others].filter(([mark]) => !known.has(mark));
    return [...own, ...others.map(([mark, atMs]) => ({ uid: mark, atMs }))];
  }

  #take(notes: Notes): void {
    const { clock, logger } = this.#options;
    const { deletions, isWhole } = readMemory(notes.annotation(memoryAnnotation));
    if (!isWhole && !this.#hasRecalled) {
      logger.warn(
        { annotation: memoryAnnotation },
        'Ignored malformed deletion records on the Lease',
      );
    }
    this.#hasRecalled = true;
    for (const { mark, atMs } of deletions) {
      // A time in the future comes from a process whose clock is ahead.
      const agoMs = Math.max(clock.now() - atMs, 0);
      // If the wall clock has jumped ahead, the age computed before the jump is the right one.
      const knownMs = this.#others.get(mark) ?? Number.NEGATIVE_INFINITY;
      this.#others.set(mark, Math.max(knownMs, clock.monotonic() - agoMs));
    }
    this.#forgetOld();
  }

  #textWith(uids: readonly string[]): string {
    const { clock } = this.#options;
    const aheadMs = clock.now() - clock.monotonic();
    const all = new Map<string, number>(this.#others);
    for (const [uid, atMs] of this.#own) all.set(deletionMark(uid), atMs);
    for (const uid of uids) all.set(deletionMark(uid), clock.monotonic());
    return memoryText([...all].map(([mark, atMs]): Remembered => ({ mark, atMs: atMs + aheadMs })));
  }

  #forgetOld(): void {
    const { clock, settings } = this.#options;
    const nowMs = clock.monotonic();
    for (const map of [this.#own, this.#others]) {
      for (const [key, atMs] of map) if (!isRecent(nowMs - atMs, settings.brake)) map.delete(key);
    }
  }

  /**
   * Logs the failure, and returns whether deletions continue. They wait for a passing fault. A
   * missing permission would stop them permanently, so they continue: the brake still counts this
   * process.
   */
  #tell(err: unknown): boolean {
    const { logger } = this.#options;
    const goesOn = isForbidden(err);
    if (goesOn) this.#hasRecalled = true;
    if (!this.#hasTold) {
      const facts = { err, annotation: memoryAnnotation };
      const consequence = 'After a restart the deletion brake counts deletions from zero';
      if (goesOn) logger.warn({ ...facts, consequence }, 'Cannot record deletions on the Lease');
      else logger.warn(facts, 'Deleted no nodes: recent deletions are unknown');
    }
    this.#hasTold = true;
    return goesOn;
  }
}
