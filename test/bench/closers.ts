/**
 * What a bench has to end before it may end itself: last opened, first closed; also when somebody
 * interrupts it, so that no program of it runs on and no file is left.
 */
import { constants } from 'node:os';

export class Closers {
  readonly #open: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#open.push(close);
  }

  /** Goes on where one of them fails, and rejects with that failure at the end. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#open.pop(); close !== undefined; close = this.#open.pop()) {
      await close().catch((err: unknown) => failures.push(err));
    }
    if (failures.length > 0) throw failures[0];
  }
}

export async function withClosers<Result>(
  work: (closers: Closers) => Promise<Result>,
): Promise<Result> {
  const closers = new Closers();
  let isInterrupted = false;
  const interrupt = (signal: NodeJS.Signals): void => {
    isInterrupted = true;
    void closers.closeAll().finally(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of interruptions) process.once(signal, interrupt);
  try {
    return await work(closers);
  } catch (err) {
    // What is ended under its hands fails, and that is no news to whoever interrupted it.
    if (isInterrupted) await new Promise(() => {});
    throw err;
  } finally {
    await closers.closeAll();
    for (const signal of interruptions) process.off(signal, interrupt);
  }
}

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
