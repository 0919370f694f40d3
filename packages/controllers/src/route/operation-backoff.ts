/**
 * Decides when to try an operation again. Each operation has its own delay, which doubles with every try and is at
 * least as long as the cloud asked for. An operation that the cloud applied waits as well if the next list does not show
 * it: the list may be late, or something undoes the change. The entry of an operation is deleted as soon as the operation
 * is no longer planned, so no entry outlives its route.
 */
import type { PlannedOperation } from '@tandem/core/routes';
import {
  type Backoff,
  backoffDelayMs,
  type CcmError,
  type Clock,
  type Random,
} from '@tandem/runtime';

const backoff: Backoff = { baseMs: 1_000, capMs: 300_000, jitter: 0.5 };

interface Entry {
  readonly tries: number;
  readonly dueMs: number;
  /** When the cloud first applied a try. */
  readonly appliedAtMs: number | undefined;
  /** When the cloud first applied a try, or may have applied it. */
  readonly mayStandSinceMs: number | undefined;
}

/** Lists of a cloud may be this late, so that a change is not there yet although the cloud applied it. */
const listLateMsMax = 60_000;

export class OperationBackoff {
  readonly #clock: Clock;
  readonly #random: Random;
  #entries = new Map<string, Entry>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the operations that are due now, and deletes the entries of operations that are no longer planned. */
  due(operations: readonly PlannedOperation[]): readonly PlannedOperation[] {
    const kept = new Map<string, Entry>();
    for (const operation of operations) {
      const entry = this.#entries.get(keyOf(operation));
      if (entry !== undefined) kept.set(keyOf(operation), entry);
    }
    this.#entries = kept;
    const nowMs = this.#clock.monotonic();
    return operations.filter((one) => (kept.get(keyOf(one))?.dueMs ?? nowMs) <= nowMs);
  }

  failed(operation: PlannedOperation, { retry, effect }: CcmError): void {
    const askedMs = typeof retry === 'object' ? retry.afterMs : 0;
    this.#delay(operation, { askedMs, wasApplied: false, mayStand: effect === 'unknown' });
  }

  applied(operation: PlannedOperation): void {
    this.#delay(operation, { askedMs: 0, wasApplied: true, mayStand: true });
  }

  /**
   * Whether the cloud's lists may be too late to show a route that the cloud says exists. A predecessor may have created
   * it just now, or an earlier list may have shown it.
   */
  mayBeListedLate(operation: PlannedOperation): boolean {
    const nowMs = this.#clock.monotonic();
    const sinceMs = this.#entries.get(keyOf(operation))?.mayStandSinceMs ?? nowMs;
    return nowMs - sinceMs < listLateMsMax;
  }

  /** Whether the cloud applied the operation so long ago that its lists would show it. */
  isWithoutEffect(operation: PlannedOperation): boolean {
    const appliedAtMs = this.#entries.get(keyOf(operation))?.appliedAtMs;
    return appliedAtMs !== undefined && this.#clock.monotonic() - appliedAtMs >= listLateMsMax;
  }

  /** The time until the next operation is due; undefined if none waits. */
  get nextInMs(): number | undefined {
    if (this.#entries.size === 0) return undefined;
    const dueMs = Math.min(...Array.from(this.#entries.values(), (entry) => entry.dueMs));
    return Math.max(0, dueMs - this.#clock.monotonic());
  }

  #delay(
    operation: PlannedOperation,
    result: {
      readonly askedMs: number;
      readonly wasApplied: boolean;
      readonly mayStand: boolean;
    },
  ): void {
    const { askedMs, wasApplied, mayStand } = result;
    const before = this.#entries.get(keyOf(operation));
    const nowMs = this.#clock.monotonic();
    const tries = (before?.tries ?? 0) + 1;
    this.#entries.set(keyOf(operation), {
      tries,
      dueMs: nowMs + Math.max(askedMs, backoffDelayMs(backoff, tries, this.#random)),
      appliedAtMs: before?.appliedAtMs ?? (wasApplied ? nowMs : undefined),
      mayStandSinceMs: before?.mayStandSinceMs ?? (mayStand ? nowMs : undefined),
    });
  }
}

/** With the target: a change for another machine that gets the block is another operation. */
function keyOf({ operation, destination }: PlannedOperation): string {
  const target = operation.kind === 'delete' ? '' : operation.to.key;
  return JSON.stringify([operation.kind, operation.table, destination, target]);
}
