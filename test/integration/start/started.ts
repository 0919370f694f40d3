/** `npm start` as a process, with its own directory for temporary files. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { kubectl } from '../../support/kubectl.ts';
import { type Exit, CapturedProcess } from '../../support/process/index.ts';

const main = join(import.meta.dirname, '../../../packages/devcluster/src/main.ts');

export class Started extends CapturedProcess {
  readonly temporary: string;

  private constructor(
    command: readonly [string, ...string[]],
    { temporary, environment }: { readonly temporary: string; readonly environment: Environment },
  ) {
    super(command, { environment, stdin: 'pipe' });
    this.temporary = temporary;
  }

  static async start(args: readonly string[]): Promise<Started> {
    return Started.#spawn([process.execPath, main, ...args]);
  }

  /** The same with an output that fails like a full disk. */
  static async onFullDisk(args: readonly string[]): Promise<Started> {
    const command = `exec '${process.execPath}' '${main}' ${args.join(' ')} > /dev/full`;
    return Started.#spawn(['sh', '-c', command]);
  }

  /** The same on a terminal of this size, which `script` of util-linux provides. */
  static async onTerminal(size: { columns: number; lines: number }): Promise<Started> {
    const command = `stty cols ${size.columns} rows ${size.lines}; exec '${process.execPath}' '${main}'`;
    return Started.#spawn(['script', '-qefc', command, '/dev/null']);
  }

  static async #spawn(command: readonly [string, ...string[]]): Promise<Started> {
    const temporary = await mkdtemp(join(tmpdir(), 'tandem-start-test-'));
    const { NO_COLOR: _, ...known } = systemEnvironment();
    const environment = { ...known, TMPDIR: temporary, TERM: 'xterm' };
    return new Started(command, { temporary, environment });
  }

  async kubectl(...args: readonly string[]): Promise<string> {
    const [, kubeconfig = ''] = await this.prints(/export KUBECONFIG=([\w/.-]+)/);
    return kubectl({ kubeconfig, directory: this.temporary }, ...args);
  }

  /** Ends it by Ctrl-C or another signal. */
  end(signal: NodeJS.Signals = 'SIGINT'): Promise<Exit> {
    this.signal(signal);
    return this.exited;
  }

  /** Closes its output, as `head` does. */
  stopReading(): void {
    this.child.stdout?.destroy();
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** The files that it left in its directory, without caches. */
  async leftovers(): Promise<string[]> {
    const names = await readdir(this.temporary);
    return names.filter(
      (name) => name !== 'kubectl-cache' && !name.startsWith('node-compile-cache'),
    );
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.temporary, { recursive: true, force: true });
  }
}
