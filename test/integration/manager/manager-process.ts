/**
 * The manager as a process: started as people start it, heard through what it writes, and ended,
 * killed, paused and resumed by signals to its pid.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Environment, systemClock, withDeadline } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';

/** What takes longer does not come, on a machine that is busy with other things, too. */
export const patienceMs = 40_000;

/** A line of the log; what it has beyond these depends on the message. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class ManagerProcess {
  /** The lines that are JSON. */
  readonly log: LogLine[] = [];
  /** Everything that it wrote, to either stream. */
  stdout = '';
  stderr = '';
  readonly flags: readonly string[];
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ending>;
  #ending: Ending | undefined;

  /**
   * The owner is the world whose suite kills what is left running. Suites run beside each other in one
   * process, so a manager without an owner would be killed by whichever suite ends first.
   */
  constructor(
    bundle: string,
    flags: readonly string[],
    owner: object,
    environment: Environment = {},
  ) {
    const child = spawn(process.execPath, [bundle, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment },
    });
    this.flags = flags;
    this.#child = child;
    started.set(child, owner);
    this.#read(child.stdout, (line) => (this.stdout += `${line}\n`));
    this.#read(child.stderr, (line) => (this.stderr += `${line}\n`));
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => started.delete(child));
      // Unlike at its exit, all that it wrote has been read by then.
      child.once('close', (code, signal) => {
        this.#ending = { code, signal };
        resolve(this.#ending);
      });
    });
  }

  get isRunning(): boolean {
    return this.#ending === undefined;
  }

  /** Asks it to end, and waits for that. */
  stop(): Promise<Ending> {
    this.send('SIGTERM');
    return this.ended();
  }

  /** Ends it as a crash would, and waits for that. */
  kill(): Promise<Ending> {
    this.send('SIGKILL');
    return this.ended();
  }

  send(signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** How it ended; rejects when it does not. */
  async ended(withinMs: number = patienceMs): Promise<Ending> {
    const limits = { clock: systemClock, limitMs: withinMs };
    return withDeadline(limits, () => this.#ended);
  }

  /** The first line that says so and has what is wanted, as soon as it is there. */
  async says(
    msg: RegExp,
    fields: Readonly<Record<string, unknown>> = {},
    { withinMs = patienceMs }: { readonly withinMs?: number } = {},
  ): Promise<LogLine> {
    const isWanted = (line: LogLine): boolean =>
      msg.test(line.msg) && Object.entries(fields).every(([name, value]) => line[name] === value);
    try {
      return await eventually(() => this.log.find(isWanted), { withinMs });
    } catch (err) {
      throw new Error(`It did not say ${msg}.\n${this.tail}`, { cause: err });
    }
  }

  /** Fails, with what it wrote last, when it has ended. */
  assertRunning(): void {
    assert.ok(this.isRunning, `The manager has ended\n${this.tail}`);
  }

  /** What it wrote last, for people. */
  get tail(): string {
    return `${this.stdout}${this.stderr}`.split('\n').slice(-30).join('\n');
  }

  #read(stream: Readable, keep: (line: string) => void): void {
    createInterface({ input: stream }).on('line', (line) => {
      keep(line);
      const parsed = parseLine(line);
      if (parsed !== undefined) this.log.push(parsed);
    });
  }
}

function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const started = new Map<ChildProcess, object>();

/** Kills the managers of this owner that still run, paused or not. */
export function killManagers(owner: object): void {
  for (const [child, itsOwner] of started) {
    if (itsOwner === owner) child.kill('SIGKILL');
  }
}
