/** Blocks of the event loop of a measured program, as `main.ts`, which is loaded into it, writes them down. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '@tandem/runtime';
import { bundleForBench } from '../../bundle.ts';

export interface Block {
  /** By the wall clock. */
  readonly endedMs: number;
  readonly wallMs: number;
  /** What the thread itself used of it. */
  readonly cpuMs: number;
}

export class BlockLog {
  readonly #program: string;
  readonly #file: string;

  private constructor(program: string, file: string) {
    this.#program = program;
    this.#file = file;
  }

  static async prepare(folder: string): Promise<BlockLog> {
    const source = join(import.meta.dirname, 'main.ts');
    const bundled = await bundleForBench(folder, { 'event-loop': source });
    return new BlockLog(bundled('event-loop'), join(folder, 'blocks'));
  }

  /** The variables that a process needs to be watched. */
  get environment(): Environment {
    const program = pathToFileURL(this.#program).href;
    return { NODE_OPTIONS: `--import=${program}`, BENCH_BLOCKS_FILE: this.#file };
  }

  async clear(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  /** The longest blocks since then, by the wall clock and by what the thread used; 0 where there was none. */
  async longestSince(sinceMs: number): Promise<Pick<Block, 'wallMs' | 'cpuMs'>> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    const blocks = lines.map((line): Block => JSON.parse(line));
    const seen = blocks.filter(({ endedMs }) => endedMs >= sinceMs);
    const most = (of: (block: Block) => number): number => Math.max(0, ...seen.map(of));
    return { wallMs: most(({ wallMs }) => wallMs), cpuMs: most(({ cpuMs }) => cpuMs) };
  }
}
