/**
 * Upstream's manager as a process: started with an inventory for a cloud, ended by its pid. It ends with
 * the process that started it, however that ends, and leaves no file behind once it has ended: its log
 * and its counts are then kept in memory.
 */
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GuardedProcess } from '../support/process/index.ts';
import { type CloudCalls, readCloudCalls } from './cloud-calls.ts';

/** What the cloud has. A node is matched by its provider ID, and by its name as long as it has none. */
export interface InventoryInstance {
  readonly name: string;
  readonly providerID: string;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  /** Running, unless it is said to be stopped. */
  readonly state?: 'running' | 'stopped';
}

export interface UpstreamManagerOptions {
  /** The path of the built program. */
  readonly program: string;
  readonly kubeconfig: string;
  /** A node that is not in here is not found; upstream deletes it when it is not ready. */
  readonly inventory: readonly InventoryInstance[];
  /** Beyond the defaults, `--leader-elect-resource-name=other` and the like; of two equal ones the last counts. */
  readonly flags?: readonly string[];
}

/** Resolves when the process runs; it may still end at once, of a flag that it does not know. */
export async function startUpstreamManager(
  options: UpstreamManagerOptions,
): Promise<UpstreamManager> {
  const directory = await mkdtemp(join(tmpdir(), 'tandem-upstream-manager-'));
  const files = {
    inventory: join(directory, 'inventory.json'),
    calls: join(directory, 'cloud-calls'),
    log: join(directory, 'log'),
  };
  try {
    await writeFile(files.inventory, JSON.stringify(options.inventory));
    await using log = await open(files.log, 'w');
    const running = new GuardedProcess([options.program, ...flagsOf(options, files)], {
      // The program ends with its standard input.
      stdio: ['pipe', log.fd, log.fd],
      env: {},
    });
    const { pid } = running;
    if (pid === undefined) throw new Error(`${options.program} cannot be run`);
    return new UpstreamManager({ running, pid, directory, files });
  } catch (err) {
    await rm(directory, { recursive: true, force: true });
    throw err;
  }
}

interface Files {
  readonly inventory: string;
  readonly calls: string;
  readonly log: string;
}

function flagsOf({ kubeconfig, flags = [] }: UpstreamManagerOptions, files: Files): string[] {
  return [
    '--cloud-provider=inventory',
    `--cloud-config=${files.inventory}`,
    `--cloud-calls-file=${files.calls}`,
    `--kubeconfig=${kubeconfig}`,
    // Several may run at once on one machine, and nobody asks them anything.
    '--secure-port=0',
    ...flags,
  ];
}

interface Parts {
  readonly running: GuardedProcess;
  readonly pid: number;
  readonly directory: string;
  readonly files: Files;
}

/** What is left of a process. */
interface Remains {
  readonly log: string;
  readonly calls: CloudCalls;
}

export class UpstreamManager {
  readonly pid: number;
  /** Resolves when the process has ended, asked or not, and its files are gone. */
  readonly ended: Promise<void>;
  readonly #parts: Parts;
  #remains: Remains | undefined;

  constructor(parts: Parts) {
    this.pid = parts.pid;
    this.#parts = parts;
    this.ended = parts.running.exited.then(() => this.#collect());
  }

  /** Asks it to end and waits for that. Upstream does not give its Lease back. */
  async stop(): Promise<void> {
    await this.#parts.running.stopWithin(stopMsMax);
    await this.ended;
  }

  /** Ends it as a crash would and waits for that. */
  async kill(): Promise<void> {
    await this.#parts.running.kill();
    await this.ended;
  }

  /** What it has written so far, or had when it ended. */
  async log(): Promise<string> {
    return this.#remains?.log ?? readFile(this.#parts.files.log, 'utf8');
  }

  /** How often it has asked its cloud so far, or had when it ended. */
  async cloudCalls(): Promise<CloudCalls> {
    return this.#remains?.calls ?? readCloudCalls(this.#parts.files.calls);
  }

  async #collect(): Promise<void> {
    const { files, directory } = this.#parts;
    this.#remains = {
      log: await readFile(files.log, 'utf8').catch(() => ''),
      calls: await readCloudCalls(files.calls),
    };
    await rm(directory, { recursive: true, force: true });
  }
}

/** Upstream's manager does nothing on SIGTERM but end. */
const stopMsMax = 5_000;
