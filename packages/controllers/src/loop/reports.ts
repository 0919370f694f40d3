/**
 * Reports what happened to a node, by an event on the node. An active report, such as a refusal, starts an
 * event and renews it until the report ends (P6). A reconcile that finds nothing new reports nothing (P5).
 * Nodes that are gone have no reports, and a dry run sends no events.
 */
import { type EventRecorder, type NewEvent, nodeReference } from '@tandem/kube/events';
import type { NodeRecord } from './node-record.ts';

export type Recorder = Pick<EventRecorder, 'record' | 'sustain' | 'end' | 'forget'>;

/** An event of a controller. Its table is the only place that names its reasons, and people filter by them. */
export interface EventDeclaration {
  readonly type: 'Normal' | 'Warning';
  readonly action: string;
  /** For the reference page. */
  readonly meaning: string;
  /** For the reference page: what an operator can do about it. */
  readonly remedy: string;
  /** When an event that is Normal otherwise is a Warning. */
  readonly warnsWhen?: string;
}

export type EventTable<Reason extends string> = Readonly<Record<Reason, EventDeclaration>>;

type NodeEvents<Reason extends string> = (
  node: { readonly name: string; readonly uid: string },
  reason: Reason,
  note: string,
) => NewEvent;

/** Makes the events of a controller about nodes, as its table declares them. */
export function nodeEventsOf<Reason extends string>(
  reportingController: string,
  table: EventTable<Reason>,
): NodeEvents<Reason> {
  return (node, reason, note) => {
    const { type, action } = table[reason];
    return { regarding: nodeReference(node), reportingController, type, action, reason, note };
  };
}

/** A report about a node that still holds. */
export interface ActiveReport {
  /** The code of a refusal, or another word that people and metrics know it by. */
  readonly reason: string;
  readonly message: string;
  readonly isRefusal: boolean;
  /** Reports with the same identity are the same, even if their messages differ. Defaults to the message. */
  readonly identity?: string;
}

export interface ReportsOptions {
  readonly recorder: Recorder | undefined;
  /** The key of the node's active event. Controllers share one recorder. */
  readonly matter: string;
  /** By the wall clock. */
  readonly nowMs: () => number;
  /** Called whenever the active report of a node changes. */
  readonly onChange?: () => void;
}

export class Reports {
  readonly #options: ReportsOptions;

  constructor(options: ReportsOptions) {
    this.#options = options;
  }

  /** Records an event once. */
  record(record: NodeRecord<unknown>, event: NewEvent): void {
    if (!record.isGone) this.#options.recorder?.record(event);
  }

  /**
   * Records an event once for something that holds beside the active report, such as a disagreement. The event
   * is not dropped, however many events the node had before. `undefined` ends it.
   */
  announce(record: NodeRecord<unknown>, event: NewEvent | undefined, about: string): void {
    const matter = `${this.#options.matter}/${about}`;
    if (record.isGone) return;
    if (event === undefined) this.#options.recorder?.end({ uid: record.uid, matter });
    else this.#options.recorder?.sustain({ ...event, matter, isRenewed: false });
  }

  /** Starts an event beside the active report and renews it until it ends. */
  startBeside(record: NodeRecord<unknown>, event: NewEvent, about: string): void {
    if (record.isGone) return;
    this.#options.recorder?.sustain({ ...event, matter: `${this.#options.matter}/${about}` });
  }

  endBeside(record: NodeRecord<unknown>, about: string): void {
    const matter = `${this.#options.matter}/${about}`;
    this.#options.recorder?.end({ uid: record.uid, matter });
  }

  /**
   * Makes this the active report, with an event that is renewed until the report ends. Returns false if the
   * same report is active already.
   */
  start(record: NodeRecord<unknown>, report: ActiveReport, event: NewEvent): boolean {
    if (!this.#begin(record, report)) return false;
    this.#options.recorder?.sustain({ ...event, matter: this.#options.matter });
    return true;
  }

  /** The same with an event that is not renewed. */
  startUnrenewed(record: NodeRecord<unknown>, report: ActiveReport, event: NewEvent): boolean {
    if (!this.#begin(record, report)) return false;
    this.#options.recorder?.sustain({ ...event, matter: this.#options.matter, isRenewed: false });
    return true;
  }

  /** The same without an event. */
  startSilently(record: NodeRecord<unknown>, report: ActiveReport): boolean {
    if (!this.#begin(record, report)) return false;
    this.#options.recorder?.end({ uid: record.uid, matter: this.#options.matter });
    return true;
  }

  /** Ends the active report and returns it. */
  end(record: NodeRecord<unknown>): ActiveReport | undefined {
    const { report } = record;
    if (report === undefined) return undefined;
    record.report = undefined;
    this.#options.recorder?.end({ uid: record.uid, matter: this.#options.matter });
    this.#options.onChange?.();
    return report;
  }

  /** For a node that is gone. */
  forget(record: NodeRecord<unknown>): void {
    this.#options.recorder?.forget(record.uid);
    if (record.report !== undefined) this.#options.onChange?.();
  }

  #begin(record: NodeRecord<unknown>, report: ActiveReport): boolean {
    if (record.isGone || isSame(record.report, report)) return false;
    if (record.report?.reason !== report.reason) {
      record.reportSinceMs = this.#options.nowMs();
    }
    record.report = report;
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
