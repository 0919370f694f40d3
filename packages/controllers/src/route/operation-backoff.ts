/**
 * Decides when to retry a failed operation. Each operation has its own delay, which doubles with every failure and is
 * at least as long as the cloud asked for. The entry of an operation is deleted as soon as the operation is no longer
 * planned, so no entry outlives its route.
 */
import type { PlannedOperation } from '@tandem/core/routes';
import {
  type Backoff,
  backoffDelayMs,
  type CcmError,
  type Clock,
  type Random,
} from '@tandem/runtime';

const failedBackoff: Backoff = { baseMs: 1_000, capMs: 300_000, jitter: 0.5 };

interface Entry {
  readonly failures: number;
  readonly dueMs: number;
}

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

  failed(operation: PlannedOperation, { retry }: CcmError): void {
    const failures = (this.#entries.get(keyOf(operation))?.failures ?? 0) + 1;
    const ownMs = backoffDelayMs(failedBackoff, failures, this.#random);
    const waitMs = typeof retry === 'object' ? Math.max(retry.afterMs, ownMs) : ownMs;
    this.#entries.set(keyOf(operation), { failures, dueMs: this.#clock.monotonic() + waitMs });
  }

  /** The time until the next failed operation is due; undefined if none waits. */
  get nextInMs(): number | undefined {
    if (this.#entries.size === 0) return undefined;
    const dueMs = Math.min(...Array.from(this.#entries.values(), (entry) => entry.dueMs));
    return Math.max(0, dueMs - this.#clock.monotonic());
  }
}

function keyOf({ operation, destination }: PlannedOperation): string {
  return JSON.stringify([operation.kind, operation.table, destination]);
}
