/**
 * One of the two servers of a control plane, etcd or kube-apiserver, as something that can be started,
 * stopped, paused, killed and started again on the same port. A start ends in readiness, or in an error
 * that says how the program ended and where its log is kept; it never waits without a limit.
 */
import { type Clock, sleep, withDeadline } from '@tandem/runtime';
import { ControlPlaneError } from './errors.ts';
import { eventually } from './eventually.ts';
import { keepLog, lastLines } from './log.ts';
import type { Keeper, KeptProcess } from './keeper/keeper.ts';
import type { Launch } from './keeper/messages.ts';
import type { Exit } from './process-group.ts';
import { stateOf } from '../support/process-state.ts';

export interface ServerDescription {
  readonly name: string;
  readonly launch: Launch;
  /** Asks the server once; a rejection means not yet. */
  readonly isReady: () => Promise<boolean>;
  readonly readyMsMax: number;
}

export class Server {
  readonly name: string;
  readonly logFile: string;
  readonly #keeper: Keeper;
  readonly #clock: Clock;
  readonly #description: ServerDescription;
  readonly #unasked = Promise.withResolvers<Exit>();
  #process: KeptProcess | undefined;
  #isWanted = false;

  constructor(keeper: Keeper, clock: Clock, description: ServerDescription) {
    this.name = description.name;
    this.logFile = description.launch.logFile;
    this.#keeper = keeper;
    this.#clock = clock;
    this.#description = description;
  }

  /** The process that runs now, or ran last. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exit === undefined;
  }

  /** Starts the server and waits until it is ready. Does nothing when it runs. */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const started = this.#keeper.spawn(this.#description.launch);
    this.#process = started;
    this.#isWanted = true;
    await this.#untilReady(started);
    void this.#noteEnd(started);
  }

  /** Asks the server to end and waits for it; one that takes its time is killed. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    if (!this.isRunning) return;
    this.#process?.signal('SIGTERM');
    // A paused server would only take the signal when it is resumed.
    this.#process?.signal('SIGCONT');
    if (!(await this.#hasExitedWithin(stopMsMax))) await this.kill();
  }

  /** Ends the server as a crash would, and waits for it. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    if (!this.isRunning) return;
    this.#process?.signal('SIGKILL');
    const hasEnded = await this.#hasExitedWithin(killMsMax);
    if (!hasEnded) throw new Error(`${this.name} (process ${this.pid}) does not end on SIGKILL`);
  }

  /**
   * Freezes the server: its connections stay open and nothing is answered. Resolves when it stands still:
   * the signal goes by way of the keeper, and until then the server may answer.
   */
  async pause(): Promise<void> {
    this.#process?.signal('SIGSTOP');
    const { pid } = this;
    // Where the kernel does not tell, it is taken for granted.
    await eventually(() => pid === undefined || ['T', undefined].includes(stateOf(pid)));
  }

  resume(): void {
    this.#process?.signal('SIGCONT');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Resolves when the server has ended although nobody asked it to. */
  async failure(): Promise<ControlPlaneError> {
    return this.#ended(await this.#unasked.promise);
  }

  async #noteEnd(ended: KeptProcess): Promise<void> {
    const exit = await ended.exited;
    const isUnasked = this.#isWanted && this.#process === ended;
    if (isUnasked) this.#unasked.resolve(exit);
  }

  /** Waits until the server answers as ready, and fails as soon as it has ended. */
  async #untilReady(started: KeptProcess): Promise<void> {
    const { isReady, readyMsMax } = this.#description;
    const deadline = this.#clock.monotonic() + readyMsMax;
    while (this.#clock.monotonic() < deadline) {
      if (started.exit !== undefined) throw await this.#ended(started.exit);
      if (await isReady().catch(() => false)) return;
      await sleep(this.#clock, pollMs);
    }
    const facts = await this.#logFacts();
    await this.kill();
    throw new ControlPlaneError('ProgramNotReady', {
      ...facts,
      problem: `${this.name} was not ready within ${readyMsMax / 1000} s.${facts.lastWords}`,
    });
  }

  async #hasExitedWithin(limitMs: number): Promise<boolean> {
    const ended = this.#process?.exited ?? Promise.resolve();
    await withDeadline({ clock: this.#clock, limitMs }, async () => ended).catch(() => {});
    return !this.isRunning;
  }

  async #ended(exit: Exit): Promise<ControlPlaneError> {
    const how = exit.signal === null ? `with exit code ${exit.code}` : `by ${exit.signal}`;
    const facts = await this.#logFacts();
    return new ControlPlaneError('ProgramEnded', {
      ...facts,
      problem: `${this.name} ended ${how}.${facts.lastWords}`,
    });
  }

  async #logFacts(): Promise<{ lastWords: string; logFile: string | undefined; fix: string }> {
    const words = await lastLines(this.logFile, 3);
    return {
      lastWords: words === '' ? '' : ` Its last words:\n${words}`,
      logFile: await keepLog(this.logFile),
      fix: `read the log; ${this.#description.launch.file} is the program that ran.`,
    };
  }
}

/** How often a starting server is asked. */
const pollMs = 50;

/** Both end within a second, unless an open watch holds the API server: it would wait a minute. */
const stopMsMax = 3_000;

/** The kernel needs milliseconds; a process in an uninterruptible wait should not hang a test run. */
const killMsMax = 10_000;
