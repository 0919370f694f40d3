/**
 * A program and everything that it starts: the process group that it leads. Signals go to the whole group, because a
 * wrapper script that calls the real program without `exec` does not pass them on. The group dies with the process
 * that started it, however that ends. All long-lived programs of the tests and benches are started here.
 */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { type Clock, systemClock, withDeadline } from '@tandem/runtime';
import { type Bequest, bequeathGroup, readyGuard, unrefStream } from './guard.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class GuardedProcess implements AsyncDisposable {
  /** The program, which leads the group. It has no pid if it could not be started. */
  readonly child: ChildProcess;
  /**
   * Resolves with how the program ended, once all processes that share a pipe of `stdio` have ended as well and all of
   * their output has been read. Processes that outlive the program for long are killed.
   */
  readonly exited: Promise<Exit>;
  readonly #clock: Clock;
  #exit: Exit | undefined;

  constructor(
    [file, ...args]: readonly [string, ...string[]],
    options: SpawnOptions,
    clock: Clock = systemClock,
  ) {
    this.#clock = clock;
    readyGuard();
    this.child = spawn(file, args, { ...options, detached: true });
    const { pid } = this.child;
    const bequest = pid === undefined ? undefined : bequeathGroup(pid);
    this.exited = this.#end(bequest);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  /** Sends a signal to the whole group. Does nothing if it has ended. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid === undefined || !this.isRunning) return;
    try {
      process.kill(-this.pid, signal);
    } catch {
      // Nothing of the group is left.
    }
  }

  /** Resolves with how the program ended; rejects if it does not end in time. */
  ended(withinMs: number = patienceMs): Promise<Exit> {
    return withDeadline({ clock: this.#clock, limitMs: withinMs }, () => this.exited);
  }

  /** Asks the program to end, waits for it, and kills it if it takes longer. */
  async stopWithin(limitMs: number): Promise<Exit> {
    this.signal('SIGTERM');
    // A stopped program handles the signal only when it continues.
    this.signal('SIGCONT');
    this.child.ref();
    return this.ended(limitMs).catch(() => this.kill());
  }

  /** Ends the program as a crash would, and waits for it. */
  async kill(): Promise<Exit> {
    this.signal('SIGKILL');
    this.child.ref();
    return this.ended(killMsMax).catch((err: unknown) => {
      throw new Error(`Process ${this.pid} does not end on SIGKILL`, { cause: err });
    });
  }

  /** From now on, the program does not keep this process alive. */
  unref(): void {
    this.child.unref();
    this.child.stdio.forEach(unrefStream);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #end(bequest: Bequest | undefined): Promise<Exit> {
    const closed = new Promise<void>((resolve) => this.child.once('close', () => resolve()));
    const exit = await new Promise<Exit>((resolve) => {
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
      // A file that cannot be run has no pid and no exit, only an error; a shell calls that 127.
      this.child.once('error', () => resolve({ code: 127, signal: null }));
    });
    for (const limitMs of this.pid === undefined ? [] : [windingDownMsMax, dyingMsMax]) {
      const isGone = await withDeadline({ clock: this.#clock, limitMs }, () => closed).then(
        () => true,
        () => false,
      );
      if (isGone) break;
      this.signal('SIGKILL');
    }
    bequest?.[Symbol.dispose]();
    this.#exit = exit;
    return exit;
  }
}

/** Long enough for everything that tests wait for, also on a busy machine. */
export const patienceMs = 40_000;

/** A shell ends immediately on a signal, while the program that it called still winds down. */
const windingDownMsMax = 10_000;

const dyingMsMax = 3_000;

/** The kernel needs milliseconds; a process in an uninterruptible wait should not hang a test run. */
const killMsMax = 10_000;
