/** Blocks of the event loop of a measured program, recorded by `main.ts`, which is loaded into it. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '@tandem/runtime';
import { bundleForBench } from '../../bundle.ts';

export interface Block {
  /** By the wall clock. */
  readonly endedMs: number;
  readonly wallMs: number;
  /** The CPU time that the thread itself used. */
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

  /** The environment variables that load the recorder into a process. */
  get environment(): Environment {
    const program = pathToFileURL(this.#program).href;
    return { NODE_OPTIONS: `--import=${program}`, BENCH_BLOCKS_FILE: this.#file };
  }

  async clear(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  /** The longest blocks since then, by wall time and by CPU time; 0 if there was none. */
  async longestSince(sinceMs: number): Promise<Pick<Block, 'wallMs' | 'cpuMs'>> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    const blocks = lines.map((line): Block => JSON.parse(line));
    const seen = blocks.filter(({ endedMs }) => endedMs >= sinceMs);
    const most = (of: (block: Block) => number): number => Math.max(0, ...seen.map(of));
    return { wallMs: most(({ wallMs }) => wallMs), cpuMs: most(({ cpuMs }) => cpuMs) };
  }
}
