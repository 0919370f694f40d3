/** Blocks of the manager's event loop, as `main.ts` writes them down. */
import { readFile, rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Environment } from '@tandem/runtime';

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

  /** `program` is the path of the bundled `main.ts`. */
  constructor(program: string, file: string) {
    this.#program = program;
    this.#file = file;
  }

  /** The variables that a process needs to be watched. */
  get environment(): Environment {
    const program = pathToFileURL(this.#program).href;
    return { NODE_OPTIONS: `--import=${program}`, BENCH_BLOCKS_FILE: this.#file };
  }

  async clear(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  async read(): Promise<Block[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line): Block => JSON.parse(line));
  }
}
