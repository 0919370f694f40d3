/** How long a program that is measured had its event loop blocked, as it says itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleForBench } from '../../bundle.ts';
import { type Clock, type Environment, sleep } from '@tandem/runtime';

const source = join(import.meta.dirname, 'main.ts');

/** A program writes it twice a second. */
const writtenEveryMs = 500;

export class EventLoopFile {
  readonly #path: string;
  readonly #preload: string;

  private constructor(path: string, preload: string) {
    this.#path = path;
    this.#preload = preload;
  }

  static async prepare(folder: string): Promise<EventLoopFile> {
    const bundled = await bundleForBench(folder, { 'event-loop': source });
    return new EventLoopFile(join(folder, 'event-loop.txt'), bundled('event-loop'));
  }

  /** The variables that have a program keep it. */
  get environment(): Environment {
    return { NODE_OPTIONS: `--import=${this.#preload}`, BENCH_EVENT_LOOP: this.#path };
  }

  /** The longest block since the last call; resets the figure. */
  async take(pid: number, clock: Clock): Promise<number> {
    await sleep(clock, 2 * writtenEveryMs);
    const longestMs = Number(await readFile(this.#path, 'utf8'));
    process.kill(pid, 'SIGUSR2');
    return longestMs;
  }
}
