/**
 * The owner's end of a keeper: starts one, has it run programs, and hears how they end. The channel
 * does not hold the owner's event loop, so a test that forgets to stop its control plane still ends,
 * and the keeper then cleans up by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock, systemEnvironment, withDeadline } from '@tandem/runtime';
import { ControlPlaneError } from '../errors.ts';
import { type Exit, signalGroup } from '../process-group.ts';
import { releaseDirectory } from './directory.ts';
import type { Claim, Launch, Order, DirectoryChoice, Report } from './messages.ts';

export class Keeper {
  readonly directory: string;
  readonly pid: number;
  /** Resolves when the keeper has ended without having been asked to. */
  readonly lost: Promise<ControlPlaneError>;
  readonly #claim: Claim;
  readonly #child: ChildProcess;
  readonly #processes = new Map<number, KeptProcess>();
  #lastId = 0;
  #isClosing = false;

  /** Starts a keeper, which claims the directory before anything else happens. */
  static async start(
    place: DirectoryChoice,
    { clock = systemClock, startProcess = startKeeper }: KeeperOptions = {},
  ): Promise<Keeper> {
    const child = startProcess(place);
    const report = await withDeadline({ clock, limitMs: claimMsMax }, () =>
      firstReport(child),
    ).catch((err: unknown) => {
      abandon(child);
      throw keeperSilent(err);
    });
    if (report?.kind === 'ready') return new Keeper(child, report.claim);
    if (child.connected) child.disconnect();
    throw report?.kind === 'refused' ? directoryRefused(report.reason) : keeperLost();
  }

  private constructor(child: ChildProcess, claim: Claim) {
    this.#child = child;
    this.#claim = claim;
    this.directory = claim.path;
    this.pid = child.pid ?? 0;
    child.on('message', (report: Report) => this.#hear(report));
    this.lost = new Promise((resolve) => {
      child.once('exit', () => {
        if (this.#isClosing) return;
        this.#cleanUpAfterKeeper();
        resolve(keeperLost());
      });
    });
    child.unref();
    child.channel?.unref();
  }

  spawn(launch: Launch): KeptProcess {
    this.#lastId += 1;
    const id = this.#lastId;
    const kept = new KeptProcess();
    this.#processes.set(id, kept);
    const order: Order = { id, launch };
    // A keeper that has gone is told of by `lost`; the order has nobody left to reach.
    if (this.#child.connected) this.#child.send(order, () => {});
    return kept;
  }

  /** Keeps the owner's event loop alive for as long as the keeper lives. */
  hold(): void {
    this.#child.ref();
  }

  /** Has the keeper kill what still runs and remove the directory, and waits until it has. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.ref();
    if (this.#child.connected) this.#child.disconnect();
    await exited;
    if (this.#child.exitCode !== 0) throw keeperLost();
  }

  #hear(report: Report): void {
    if (report.kind === 'spawned') this.#processes.get(report.id)?.noteSpawned(report.pid);
    if (report.kind === 'exited') this.#processes.get(report.id)?.noteExited(report.exit);
  }

  /** Does what the keeper was killed before doing. */
  #cleanUpAfterKeeper(): void {
    for (const kept of this.#processes.values()) {
      kept.signal('SIGKILL');
      kept.noteExited({ code: null, signal: 'SIGKILL' });
    }
    releaseDirectory(this.#claim);
  }
}

export interface KeeperOptions {
  readonly clock?: Clock;
  readonly startProcess?: (place: DirectoryChoice) => ChildProcess;
}

/** A hundred times what it takes; some file systems never answer, and hold even signals back. */
const claimMsMax = 30_000;

/** Starts the process alone, without waiting for it. */
export function startKeeper(place: DirectoryChoice): ChildProcess {
  return spawn(
    process.execPath,
    [fileURLToPath(new URL('main.ts', import.meta.url)), JSON.stringify(place)],
    {
      // A session of its own keeps it out of reach of a signal to the owner's process group.
      detached: true,
      // Variables such as ETCD_NAME would configure the programs behind our back.
      env: { PATH: systemEnvironment()['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
}

/** A program that runs under the keeper. */
export class KeptProcess {
  /** Resolves when the program and what it started have ended. */
  readonly exited: Promise<Exit>;
  readonly #exited = Promise.withResolvers<Exit>();
  #pid: number | undefined;
  #exit: Exit | undefined;

  constructor() {
    this.exited = this.#exited.promise;
  }

  /** Known once the keeper has told it, before the program is ready. */
  get pid(): number | undefined {
    return this.#pid;
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** Sends a signal to all of its group at once, so that what the caller does next comes after it. */
  signal(signal: NodeJS.Signals): void {
    if (this.#pid === undefined || this.#exit !== undefined) return;
    signalGroup(this.#pid, signal);
  }

  noteSpawned(pid: number): void {
    this.#pid = pid;
  }

  noteExited(exit: Exit): void {
    this.#exit ??= exit;
    this.#exited.resolve(exit);
  }
}

async function firstReport(child: ChildProcess): Promise<Report | undefined> {
  const { promise, resolve } = Promise.withResolvers<Report | undefined>();
  child.once('message', (report: Report) => resolve(report));
  child.once('exit', () => resolve(undefined));
  child.once('error', () => resolve(undefined));
  return promise;
}

/** Kills a keeper without waiting for it: one that hangs in the kernel may take its time. */
function abandon(child: ChildProcess): void {
  child.kill('SIGKILL');
  if (child.connected) child.disconnect();
  child.unref();
}

function directoryRefused(reason: string): ControlPlaneError {
  return new ControlPlaneError('DirectoryUnusable', {
    problem: `The directory cannot be used: ${reason}.`,
    fix: 'name an empty or a new directory that you may write to, or none for a temporary one.',
  });
}

function keeperLost(): ControlPlaneError {
  return new ControlPlaneError('KeeperLost', {
    problem: 'The keeper, the process that runs etcd and kube-apiserver, ended unasked.',
    fix: 'start the control plane again; if nobody killed the keeper, its error is above.',
  });
}

function keeperSilent(cause: unknown): ControlPlaneError {
  return new ControlPlaneError('KeeperLost', {
    problem: `The keeper did not get its directory within ${claimMsMax / 1000} s, and was killed.`,
    fix: 'name a directory of a file system that answers, or start it again on a less busy machine.',
    cause,
  });
}
