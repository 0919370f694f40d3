/**
 * Says what became of a node, to people: an event on the node and a line in the log. What stands, such as
 * a refusal, is said when it begins and kept alive until it ends (P6); a reconcile that finds nothing new
 * says nothing (P5). Nothing is said about a node that is gone, and in a dry run no event is sent.
 */
import type { EventRecorder, NewEvent } from '@tandem/kube/events';
import type { NodeRecord } from './node-record.ts';

export type Recorder = Pick<EventRecorder, 'record' | 'sustain' | 'end' | 'forget'>;

/** What was said about a node and still holds. */
export interface ActiveReport {
  /** The code of a refusal, or another word that people and metrics know it by. */
  readonly reason: string;
  readonly message: string;
  readonly isRefusal: boolean;
  /** What makes it the same as before although its words may differ; the message where left out. */
  readonly identity?: string;
}

export interface ReportsOptions {
  readonly recorder: Recorder | undefined;
  /** What the standing event of a node is filed under. Controllers share one recorder. */
  readonly matter: string;
  /** By the wall clock. */
  readonly nowMs: () => number;
  /** Called whenever what stands has changed for a node. */
  readonly onChange?: () => void;
}

export class Reports {
  readonly #options: ReportsOptions;

  constructor(options: ReportsOptions) {
    this.#options = options;
  }

  /** Says it once. */
  record(record: NodeRecord<unknown>, event: NewEvent): void {
    if (!record.isGone) this.#options.recorder?.record(event);
  }

  /**
   * Says once what holds now beside what stands, such as a disagreement, until it is no more: it is not lost
   * however much was said about the node before.
   */
  announce(record: NodeRecord<unknown>, event: NewEvent | undefined, about: string): void {
    const matter = `${this.#options.matter}/${about}`;
    if (record.isGone) return;
    if (event === undefined) this.#options.recorder?.end({ uid: record.uid, matter });
    else this.#options.recorder?.sustain({ ...event, matter, isRenewed: false });
  }

  /** Says what stands beside anything else, by an event of its own that is renewed until it ends. */
  standBeside(record: NodeRecord<unknown>, event: NewEvent, about: string): void {
    if (record.isGone) return;
    this.#options.recorder?.sustain({ ...event, matter: `${this.#options.matter}/${about}` });
  }

  endBeside(record: NodeRecord<unknown>, about: string): void {
    const matter = `${this.#options.matter}/${about}`;
    this.#options.recorder?.end({ uid: record.uid, matter });
  }

  /**
   * Says what stands from now on, by an event that is renewed until it ends. Whether it is news: it is
   * not where the same message stands already.
   */
  stand(record: NodeRecord<unknown>, standing: ActiveReport, event: NewEvent): boolean {
    if (!this.#begin(record, standing)) return false;
    this.#options.recorder?.sustain({ ...event, matter: this.#options.matter });
    return true;
  }

  /** The same for what is said once and not renewed. */
  standQuietly(record: NodeRecord<unknown>, standing: ActiveReport, event: NewEvent): boolean {
    if (!this.#begin(record, standing)) return false;
    this.#options.recorder?.sustain({ ...event, matter: this.#options.matter, isRenewed: false });
    return true;
  }

  /** The same for what nobody is told by an event. */
  standSilently(record: NodeRecord<unknown>, standing: ActiveReport): boolean {
    if (!this.#begin(record, standing)) return false;
    this.#options.recorder?.end({ uid: record.uid, matter: this.#options.matter });
    return true;
  }

  /** Nothing stands any more. What stood comes back. */
  end(record: NodeRecord<unknown>): ActiveReport | undefined {
    const { standing } = record;
    if (standing === undefined) return undefined;
    record.standing = undefined;
    this.#options.recorder?.end({ uid: record.uid, matter: this.#options.matter });
    this.#options.onChange?.();
    return standing;
  }

  /** For a node that is gone. */
  forget(record: NodeRecord<unknown>): void {
    this.#options.recorder?.forget(record.uid);
    if (record.standing !== undefined) this.#options.onChange?.();
  }

  #begin(record: NodeRecord<unknown>, standing: ActiveReport): boolean {
    if (record.isGone || isSame(record.standing, standing)) return false;
    if (record.standing?.reason !== standing.reason) {
      record.standingSinceMs = this.#options.nowMs();
    }
    record.standing = standing;
    this.#options.onChange?.();
    return true;
  }
}

function isSame(before: ActiveReport | undefined, now: ActiveReport): boolean {
  return before !== undefined && identityOf(before) === identityOf(now);
}

function identityOf({ identity, message }: ActiveReport): string {
  return identity ?? message;
}
