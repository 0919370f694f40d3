/**
 * One of the two servers of a control plane, etcd or kube-apiserver. Tests can start, stop, pause and kill it, and
 * start it again on the same port. A start ends with a ready server, or with an error that says how the program ended
 * and where its log is; it always has a deadline.
 */
import { closeSync, openSync } from 'node:fs';
import { sleep, systemClock, systemEnvironment } from '@tandem/runtime';
import { type Exit, GuardedProcess } from '../support/process/index.ts';
import { stateOf } from '../support/process-state.ts';
import { ControlPlaneError } from './errors.ts';
import { eventually } from './eventually.ts';
import { keepLog, lastLines } from './log.ts';

export interface ServerDescription {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Standard output and standard error are appended here. */
  readonly logFile: string;
  /** Checks once whether the server is ready; a rejection means no. */
  readonly isReady: () => Promise<boolean>;
  readonly readyMsMax: number;
}

export class Server {
  readonly #description: ServerDescription;
  readonly #unasked = Promise.withResolvers<Exit>();
  #process: GuardedProcess | undefined;
  #isWanted = false;

  constructor(description: ServerDescription) {
    this.#description = description;
  }

  /** The current or last process. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get isRunning(): boolean {
    return this.#process?.isRunning === true;
  }

  /** Starts the server and waits until it is ready. Does nothing if it runs. */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const started = this.#spawn();
    this.#process = started;
    this.#isWanted = true;
    await this.#untilReady(started);
    void this.#noteEnd(started);
  }

  /** Asks the server to end, waits for it, and kills it if it takes too long. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#process?.stopWithin(stopMsMax);
  }

  /** Ends the server as a crash would, and waits for it. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    await this.#process?.kill();
  }

  /** Stops the process: its connections stay open and it answers nothing. Resolves when the process has stopped. */
  async pause(): Promise<void> {
    this.#process?.signal('SIGSTOP');
    const { pid } = this;
    // If the kernel does not show the state, the process counts as stopped.
    await eventually(() => pid === undefined || ['T', undefined].includes(stateOf(pid)));
  }

  resume(): void {
    this.#process?.signal('SIGCONT');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Resolves when the server has ended by itself; holds the event loop until then. */
  async failure(): Promise<ControlPlaneError> {
    this.#process?.child.ref();
    return this.#ended(await this.#unasked.promise);
  }

  #spawn(): GuardedProcess {
    const { command, logFile } = this.#description;
    const log = openSync(logFile, 'a', 0o600);
    const started = new GuardedProcess(command, {
      // The pipe carries nothing: it closes with the last process that has it.
      stdio: ['ignore', log, log, 'pipe'],
      // Variables such as ETCD_NAME would configure the programs.
      env: { PATH: systemEnvironment()['PATH'] },
    });
    closeSync(log);
    // A test that forgets to stop its control plane still ends, and the guard cleans up.
    started.unref();
    return started;
  }

  async #noteEnd(started: GuardedProcess): Promise<void> {
    const exit = await started.exited;
    const isUnasked = this.#isWanted && this.#process === started;
    if (isUnasked) this.#unasked.resolve(exit);
  }

  /** Waits until the server answers as ready, and fails as soon as it has ended. */
  async #untilReady(started: GuardedProcess): Promise<void> {
    const { name, isReady, readyMsMax } = this.#description;
    const deadline = systemClock.monotonic() + readyMsMax;
    while (systemClock.monotonic() < deadline) {
      if (started.exit !== undefined) throw await this.#ended(started.exit);
      if (await isReady().catch(() => false)) return;
      await sleep(systemClock, pollMs);
    }
    const facts = await this.#logFacts();
    await this.kill();
    throw new ControlPlaneError('ProgramNotReady', {
      ...facts,
      problem: `${name} was not ready within ${readyMsMax / 1000} s.${facts.lastWords}`,
    });
  }

  async #ended(exit: Exit): Promise<ControlPlaneError> {
    const how = exit.signal === null ? `with exit code ${exit.code}` : `by ${exit.signal}`;
    const facts = await this.#logFacts();
    return new ControlPlaneError('ProgramEnded', {
      ...facts,
      problem: `${this.#description.name} ended ${how}.${facts.lastWords}`,
    });
  }

  async #logFacts(): Promise<{ lastWords: string; logFile: string | undefined; fix: string }> {
    const { logFile, command } = this.#description;
    const words = await lastLines(logFile, 3);
    return {
      lastWords: words === '' ? '' : ` Its last words:\n${words}`,
      logFile: await keepLog(logFile),
      fix: `read the log; ${command[0]} is the program that ran.`,
    };
  }
}

/** How often a starting server is checked. */
const pollMs = 50;

/** Both end within a second, except that an open watch delays the API server for up to a minute. */
const stopMsMax = 3_000;
