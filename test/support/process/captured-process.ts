/** A guarded process whose output is captured, so that tests can read it and wait for it. */
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
  /** Its output so far. */
  stdout = '';
  stderr = '';

  constructor(command: readonly [string, ...string[]], options: CaptureOptions) {
    const { environment, directory, stdin = 'ignore' } = options;
    super(command, { cwd: directory, env: { ...environment }, stdio: [stdin, 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Waits until its output matches. */
  async prints(pattern: RegExp, withinMs: number = patienceMs): Promise<RegExpExecArray> {
    return eventually(() => pattern.exec(this.stdout) ?? undefined, { withinMs }).catch(
      (err: unknown) => {
        throw new Error(`It did not print ${pattern}.\n${this.tail}`, { cause: err });
      },
    );
  }

  /** The last lines of its output, for error messages. */
  get tail(): string {
    return `${this.stdout}${this.stderr}`.split('\n').slice(-30).join('\n');
  }
}

/** Adds each JSON line of the streams to the list. */
export function collectJSON(streams: readonly (Readable | null)[], to: object[]): void {
  for (const input of streams) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      try {
        to.push(JSON.parse(line));
      } catch {
        // The line is text for people.
      }
    });
  }
}
