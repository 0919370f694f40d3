/**
 * Upstream's manager as a process, with an inventory as its cloud. It ends with the process that started it, however
 * that ends, and its files are removed.
 */
import { mkdtemp, open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bequeathRemoval, GuardedProcess } from '../support/process/index.ts';
import { type CloudCalls, readCloudCalls } from './cloud-calls.ts';

/** An instance of the cloud. A node is matched by its providerID, or by its name while it has none. */
export interface InventoryInstance {
  readonly name: string;
  readonly providerID: string;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  /** Running by default. */
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

/** Resolves when the process runs. It may still end immediately, for example because of an unknown flag. */
export async function startUpstreamManager(
  options: UpstreamManagerOptions,
): Promise<UpstreamManager> {
  const { program, kubeconfig, inventory, flags = [] } = options;
  const directory = await mkdtemp(join(tmpdir(), 'tandem-upstream-manager-'));
  bequeathRemoval([directory]);
  const files = { calls: join(directory, 'cloud-calls'), log: join(directory, 'log') };
  const inventoryFile = join(directory, 'inventory.json');
  await writeFile(inventoryFile, JSON.stringify(inventory));
  await using log = await open(files.log, 'w');
  const command = [
    program,
    '--cloud-provider=inventory',
    `--cloud-config=${inventoryFile}`,
    `--cloud-calls-file=${files.calls}`,
    `--kubeconfig=${kubeconfig}`,
    // Several may run at once on one machine, and nothing asks them anything.
    '--secure-port=0',
    ...flags,
  ] as const;
  // The program ends with its standard input.
  const running = new GuardedProcess(command, { stdio: ['pipe', log.fd, log.fd], env: {} });
  return new UpstreamManager(running, files);
}

export class UpstreamManager {
  readonly pid: number;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<unknown>;
  readonly #running: GuardedProcess;
  readonly #files: { readonly calls: string; readonly log: string };

  constructor(running: GuardedProcess, files: { readonly calls: string; readonly log: string }) {
    if (running.pid === undefined) throw new Error('the manager of upstream cannot be run');
    this.pid = running.pid;
    this.ended = running.exited;
    this.#running = running;
    this.#files = files;
  }

  /** Asks it to end and waits for that. Upstream does not release its Lease. */
  async stop(): Promise<void> {
    await this.#running.stopWithin(stopMsMax);
  }

  /** Kills it, as a crash would, and waits for its end. */
  async kill(): Promise<void> {
    await this.#running.kill();
  }

  /** Its output so far. */
  log(): Promise<string> {
    return readFile(this.#files.log, 'utf8');
  }

  /** The calls to its cloud so far. */
  cloudCalls(): Promise<CloudCalls> {
    return readCloudCalls(this.#files.calls);
  }
}

/** Upstream's manager ends immediately on SIGTERM. */
const stopMsMax = 5_000;
