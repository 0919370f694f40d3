/** Runs helm without the settings, plug-ins and clusters of the person who starts it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '@tandem/runtime';

const run = promisify(execFile);

export class Helm {
  readonly #program: string;
  readonly #environment: Environment;

  /** `home` is an empty directory for what helm keeps. */
  constructor(program: string, { home, path }: { home: string; path: string | undefined }) {
    this.#program = program;
    this.#environment = { HOME: home, PATH: path ?? '' };
  }

  /** What it prints; rejects with what it says on standard error. */
  async run(...args: readonly string[]): Promise<string> {
    try {
      const options = { env: this.#environment, maxBuffer: outputBytesMax };
      const { stdout } = await run(this.#program, [...args], options);
      return stdout;
    } catch (err) {
      throw new HelmError(String(Reflect.get(Object(err), 'stderr')), { cause: err });
    }
  }
}

/** Its message is what helm said. */
class HelmError extends Error {
  override readonly name = 'HelmError';
}

const outputBytesMax = 16 * 1024 * 1024;
