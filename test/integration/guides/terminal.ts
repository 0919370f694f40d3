/**
 * A person's shell: bash, to which commands are given one block after the other, so that variables and
 * jobs live on. The first command that fails ends it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Environment, systemClock, withDeadline } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';

/** Much longer than any command of a guide takes. */
const patienceMs = 90_000;

export class Terminal implements AsyncDisposable {
  readonly #shell: ChildProcess;
  #output = '';
  #blocks = 0;

  constructor(options: { readonly directory: string; readonly environment: Environment }) {
    // A process group of its own, so that whatever it started can be ended with it.
    this.#shell = spawn('bash', ['--norc', '-eu'], {
      cwd: options.directory,
      env: { ...options.environment },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
  }

  /** Gives what the commands print, to either stream. */
  async run(commands: string): Promise<string> {
    this.#blocks += 1;
    const end = `-- end of block ${this.#blocks} --\n`;
    this.type(`{\n${commands}\n} < /dev/null 2>&1\nprintf '%s' '${end}'\n`);
    const output = await this.shows(end);
    this.#output = '';
    return output.slice(0, output.indexOf(end));
  }

  /** Does not wait for commands to end. */
  type(text: string): void {
    this.#shell.stdin?.write(text);
  }

  /** Waits for this text, and gives all that was printed since the last block. */
  async shows(text: string): Promise<string> {
    await eventually(
      () => {
        assert.ok(this.#shell.exitCode === null || this.#output.includes(text), this.#output);
        return this.#output.includes(text);
      },
      { withinMs: patienceMs },
    ).catch((err: unknown) => {
      throw new Error(`The terminal shows:\n${this.#output}`, { cause: err });
    });
    return this.#output;
  }

  /** Ends it, and all that was started in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { pid, exitCode } = this.#shell;
    const ended = exitCode === null ? once(this.#shell, 'close') : undefined;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGTERM');
    } catch {
      // Nothing of the group is left.
    }
    await withDeadline({ clock: systemClock, limitMs: 30_000 }, async () => ended);
  }
}
