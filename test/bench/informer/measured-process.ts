/** The measured program as a process of its own, started as it ships and controlled over its standard input. */
import { createInterface, type Interface } from 'node:readline';
import { GuardedProcess } from '../../support/process/index.ts';
import { memorySettings } from '../../../tools/build/memory-settings.ts';

export interface Measurement {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMB: number;
  /** The number of bytes of a raw read. */
  readonly bytes?: number;
  /** The heap per node after a garbage collection. */
  readonly bytesPerNode?: number;
  /** The number of changes that subscribers got. */
  readonly told?: number;
  readonly relists?: number;
}

export class MeasuredProcess {
  readonly #process: GuardedProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor(
    program: string,
    args: readonly [what: string, encoding: string, kubeconfig: string],
  ) {
    // Only where the heap is measured: a forced collection would affect the peak.
    const flags = args[0] === 'kept' ? ['--expose-gc'] : [];
    this.#process = new GuardedProcess([process.execPath, ...flags, program, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: memorySettings(),
    });
    const { stdout } = this.#process.child;
    if (stdout === null) throw new Error('there is no pipe for the answers');
    this.#reader = createInterface({ input: stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Sends a line, and returns the answer. The first line starts the measurement. */
  async ask(order: string): Promise<Measurement> {
    this.#process.child.stdin?.write(`${order}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('The measured program ended without an answer');
    return JSON.parse(value);
  }

  async end(): Promise<void> {
    this.#process.child.stdin?.end();
    await this.#process.exited;
    this.#reader.close();
  }
}
