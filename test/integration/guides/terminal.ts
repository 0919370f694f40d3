/**
 * A person's shell: bash, which gets one block of commands after the other, so that variables and jobs persist. The
 * first command that fails ends it.
 */
import assert from 'node:assert/strict';
import type { Environment } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';
import { CapturedProcess } from '../../support/process/index.ts';

/** Much longer than any command of a guide takes. */
const blockMsMax = 90_000;

export class Terminal extends CapturedProcess {
  #blocks = 0;
  /** The length of the output of earlier blocks. */
  #read = 0;

  constructor(options: { readonly directory: string; readonly environment: Environment }) {
    super(['bash', '--norc', '-eu'], { ...options, stdin: 'pipe' });
    this.type('exec 2>&1\n');
  }

  /** Runs the commands and returns their output, from both streams. */
  async run(commands: string): Promise<string> {
    this.#blocks += 1;
    const end = `-- end of block ${this.#blocks} --\n`;
    this.type(`{\n${commands}\n} < /dev/null 2>&1\nprintf '%s' '${end}'\n`);
    const output = await this.shows(end);
    this.#read = this.stdout.length;
    return output.slice(0, output.indexOf(end));
  }

  /** Types text without waiting for a command to end. */
  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Waits for this text, and returns all output since the last block. */
  async shows(text: string): Promise<string> {
    const shown = (): string => this.stdout.slice(this.#read);
    await eventually(
      () => {
        assert.ok(this.isRunning || shown().includes(text), shown());
        return shown().includes(text);
      },
      { withinMs: blockMsMax },
    ).catch((err: unknown) => {
      throw new Error(`The terminal shows:\n${shown()}${this.stderr}`, { cause: err });
    });
    return shown();
  }

  /** Ends the shell and everything that was started in it. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await this.stopWithin(30_000);
  }
}
