/**
 * Polls nodes at two paces. `fast`: young nodes whose instance is not found, because clouds show a new
 * machine a little late. `slow`: refused nodes, because a person may have fixed the cause outside the
 * cluster. All nodes of a pace are due at once, so that they share cloud calls. Without such nodes there
 * is no timer.
 */
import type { NodeProjection } from '@tandem/kube/node';
import type { Clock, Timer } from '@tandem/runtime';
import type { NodeRecord, NodeRecords } from './node-record.ts';

export type PollPace = 'fast' | 'slow';

const periodsMs: Readonly<Record<PollPace, number>> = { fast: 5_000, slow: 60_000 };

/** A cloud that has not shown a machine by then is unlikely to show it in the next seconds. */
const youngSecondsMax = 300;

/** Returns whether the cloud may not show the instance of the node yet. */
export function isYoung(
  { creationTimestampSeconds }: Pick<NodeProjection, 'creationTimestampSeconds'>,
  nowMs: number,
): boolean {
  return nowMs / 1_000 - creationTimestampSeconds < youngSecondsMax;
}

export class Polls<State> {
  readonly #clock: Clock;
  readonly #records: NodeRecords<State>;
  readonly #onDue: (record: NodeRecord<State>) => void;
  readonly #timers = new Map<PollPace, Timer>();
  #isStopped = false;

  constructor(options: {
    readonly clock: Clock;
    readonly records: NodeRecords<State>;
    readonly onDue: (record: NodeRecord<State>) => void;
  }) {
    this.#clock = options.clock;
    this.#records = options.records;
    this.#onDue = options.onDue;
  }

  set(record: NodeRecord<State>, pace: PollPace | undefined): void {
    record.pollPace = pace;
    if (pace !== undefined && !record.isGone) this.#start(pace);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #start(pace: PollPace): void {
    if (this.#isStopped || this.#timers.has(pace)) return;
    const timer = this.#clock.after(periodsMs[pace], () => {
      this.#timers.delete(pace);
      const due = [...this.#records.values()].filter((record) => record.pollPace === pace);
      if (due.length > 0) this.#start(pace);
      for (const record of due) this.#onDue(record);
    });
    this.#timers.set(pace, timer);
  }
}
