/** `npm start` as a process, in a directory of its own for what it puts into `/tmp`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { eventually, findPrograms } from '../../control-plane/index.ts';

const main = join(import.meta.dirname, '../../../packages/devcluster/src/main.ts');
const run = promisify(execFile);

export interface End {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export class Started {
  readonly temporary: string;
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  #output = '';
  #errors = '';

  private constructor(child: ChildProcess, temporary: string) {
    this.#child = child;
    this.temporary = temporary;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    this.ended = new Promise((resolve) => {
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal }));
    });
  }

  static async start(args: readonly string[]): Promise<Started> {
    return Started.#spawn([process.execPath, main, ...args]);
  }

  /** The same with an output that takes nothing, as a disk does that is full. */
  static async onFullDisk(args: readonly string[]): Promise<Started> {
    const command = `exec '${process.execPath}' '${main}' ${args.join(' ')} > /dev/full`;
    return Started.#spawn(['sh', '-c', command]);
  }

  /** The same on a terminal of this size, which `script` of util-linux makes. */
  static async onTerminal(size: { columns: number; lines: number }): Promise<Started> {
    const command = `stty cols ${size.columns} rows ${size.lines}; exec '${process.execPath}' '${main}'`;
    return Started.#spawn(['script', '-qefc', command, '/dev/null']);
  }

  static async #spawn([program = '', ...args]: readonly string[]): Promise<Started> {
    const temporary = await mkdtemp(join(tmpdir(), 'tandem-start-test-'));
    const { NO_COLOR: _, ...environment } = systemEnvironment();
    const env = { ...environment, TMPDIR: temporary, TERM: 'xterm' };
    return new Started(spawn(program, args, { env, stdio: 'pipe' }), temporary);
  }

  get output(): string {
    return this.#output;
  }

  get errors(): string {
    return this.#errors;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Waits until something was printed. */
  prints(pattern: RegExp, withinMs = 30_000): Promise<RegExpExecArray> {
    return eventually(() => pattern.exec(this.#output) ?? undefined, { withinMs });
  }

  async kubectl(...args: readonly string[]): Promise<string> {
    const [, kubeconfig = ''] = await this.prints(/export KUBECONFIG=([\w/.-]+)/);
    const search = { environment: systemEnvironment(), sink: process.stderr };
    const [kubectl = 'kubectl'] = await findPrograms(['kubectl'], search);
    const cache = `--cache-dir=${join(this.temporary, 'kubectl-cache')}`;
    const { stdout } = await run(kubectl, [`--kubeconfig=${kubeconfig}`, cache, ...args]);
    return stdout;
  }

  /** As Ctrl-C does, or another signal. */
  kill(signal: NodeJS.Signals = 'SIGINT'): Promise<End> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** As `head` does when it has seen enough. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  /** What is left of it in its directory, kubectl's own cache aside. */
  async leftovers(): Promise<string[]> {
    const names = await readdir(this.temporary);
    return names.filter(
      (name) => name !== 'kubectl-cache' && !name.startsWith('node-compile-cache'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      await this.kill('SIGKILL');
    await rm(this.temporary, { recursive: true, force: true });
  }
}
