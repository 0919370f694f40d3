/** A guarded process whose output is kept, for tests to read and to wait for. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Environment } from '@tandem/runtime';
import { eventually } from '../../control-plane/eventually.ts';
import { GuardedProcess, patienceMs } from './guarded-process.ts';

interface CaptureOptions {
  readonly environment: Environment;
  readonly directory?: string;
  /** `pipe` where the test writes to its standard input. */
  readonly stdin?: 'ignore' | 'pipe';
}

export class CapturedProcess extends GuardedProcess {
  /** What it has written so far. */
  stdout = '';
  stderr = '';

  constructor(command: readonly [string, ...string[]], options: CaptureOptions) {
    const { environment, directory, stdin = 'ignore' } = options;
    super(command, { cwd: directory, env: { ...environment }, stdio: [stdin, 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Waits until it has printed something that matches. */
  async prints(pattern: RegExp, withinMs: number = patienceMs): Promise<RegExpExecArray> {
    return eventually(() => pattern.exec(this.stdout) ?? undefined, { withinMs }).catch(
      (err: unknown) => {
        throw new Error(`It did not print ${pattern}.\n${this.tail}`, { cause: err });
      },
    );
  }

  /** What it wrote last, for people. */
  get tail(): string {
    return `${this.stdout}${this.stderr}`.split('\n').slice(-30).join('\n');
  }
}

/** Adds each line of the streams that is JSON to the list, as it comes. */
export function collectJSON(streams: readonly (Readable | null)[], to: object[]): void {
  for (const input of streams) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      try {
        to.push(JSON.parse(line));
      } catch {
        // Text for people.
      }
    });
  }
}
