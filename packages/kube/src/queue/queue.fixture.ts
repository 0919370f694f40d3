/** A queue in virtual time, with the handler of the test. */
import { createLogger, createMetrics, type Metrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { type Handler, WorkQueue, type WorkQueueOptions } from './work-queue.ts';

export interface TestQueue {
  readonly clock: VirtualClock;
  readonly queue: WorkQueue;
  readonly metrics: Metrics;
  /** The lines of the log, parsed. */
  readonly log: Record<string, unknown>[];
}

export function aQueue(handle: Handler, options: Partial<WorkQueueOptions> = {}): TestQueue {
  const clock = virtualClock();
  const metrics = createMetrics();
  const log: Record<string, unknown>[] = [];
  const logger = createLogger({
    clock,
    level: 'debug',
    destination: { write: (line: string) => log.push(JSON.parse(line)) },
  });
  const queue = new WorkQueue({
    name: 'Nodes',
    handle,
    workers: 1,
    clock,
    random: seededRandom('queue'),
    metrics,
    logger,
    ...options,
  });
  return { clock, queue, metrics, log };
}

/** Runs of a handler that a test ends by hand. */
export class HeldRuns {
  readonly #held = new Map<string, (outcome: Error | undefined) => void>();
  readonly started: string[] = [];

  readonly handle: Handler = (key) =>
    new Promise((resolve, reject) => {
      // Recorded, not thrown, because the queue would treat an error as a failed run.
      this.started.push(this.#held.has(key) ? `${key} twice at once` : key);
      this.#held.set(key, (err) => (err === undefined ? resolve() : reject(err)));
    });

  get running(): string[] {
    return [...this.#held.keys()];
  }

  end(key: string, err?: Error): void {
    const end = this.#held.get(key);
    this.#held.delete(key);
    end?.(err);
  }
}
