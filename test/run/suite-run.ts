/**
 * Runs one suite in a mocha process of its own and reports what is known of it afterwards, however
 * it ended. A process that dies, lingers or is interrupted is never taken for one that passed.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { isMessage, type Message, type Order } from './protocol.ts';

export interface SuiteOutcome {
  readonly passed: number;
  /** Failed tests and failed hooks. */
  readonly failed: number;
  readonly failedHooks: number;
  readonly skipped: number;
  readonly unloadable: readonly string[];
  /** How many tests each file declares. */
  readonly declared: ReadonlyMap<string, number>;
  /** Whether mocha came to its end, all tests and hooks behind it. */
  readonly isComplete: boolean;
  /** What kept the process alive when it had to be killed after its end. */
  readonly lingering: readonly string[] | undefined;
  /** The exit code, or the signal that ended the process. */
  readonly exit: number | NodeJS.Signals;
}

/** Calls back after a delay; gives a function that cancels. */
export type StartTimer = (delayMs: number, callback: () => void) => () => void;

export interface SuiteRun {
  readonly outcome: Promise<SuiteOutcome>;
  /** Passes a signal on; from the second one on the process is killed. */
  interrupt(signal: NodeJS.Signals): void;
}

export interface SuitePorts {
  readonly startTimer: StartTimer;
  /** Where the progress goes: to the runner's own output, or nowhere. */
  readonly output: 'inherit' | 'ignore';
}

export function startSuite(order: Order, { startTimer, output }: SuitePorts): SuiteRun {
  const child = fork(join(import.meta.dirname, 'mocha', 'main.ts'), {
    cwd: order.root,
    stdio: ['ignore', output, output, 'ipc'],
  });
  let interrupts = 0;
  return {
    outcome: follow(child, order, startTimer),
    interrupt(signal) {
      interrupts += 1;
      child.kill(interrupts > 1 ? 'SIGKILL' : signal);
    },
  };
}

async function follow(
  child: ChildProcess,
  order: Order,
  startTimer: StartTimer,
): Promise<SuiteOutcome> {
  const messages: Message[] = [];
  let stopTimer: (() => void) | undefined;
  let wasKilled = false;
  child.on('message', (message) => {
    if (!isMessage(message)) return;
    messages.push(message);
    if (message.kind !== 'ended') return;
    stopTimer = startTimer(order.lingerMsMax, () => {
      wasKilled = child.kill('SIGKILL');
    });
  });
  child.send(order);
  const exit = await ended(child);
  stopTimer?.();
  return { ...tally(messages), exit, lingering: wasKilled ? openResources(messages) : undefined };
}

/** The channel is drained only when it is closed, which may be after the process has gone. */
async function ended(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const closed = new Promise<void>((resolve) => child.once('disconnect', () => resolve()));
  const exit = await new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
  });
  await closed;
  return exit;
}

function tally(messages: readonly Message[]): Omit<SuiteOutcome, 'exit' | 'lingering'> {
  const count = (kind: Message['kind']): number => messages.filter((m) => m.kind === kind).length;
  return {
    passed: count('passed') - count('revoked'),
    failed: count('failed'),
    failedHooks: messages.filter((m) => m.kind === 'failed' && m.what === 'hook').length,
    skipped: count('skipped'),
    unloadable: messages.flatMap((m) => (m.kind === 'unloadable' ? [m.file] : [])),
    declared: new Map(messages.flatMap((m) => (m.kind === 'declared' ? [[m.file, m.tests]] : []))),
    isComplete: count('ended') > 0,
  };
}

function openResources(messages: readonly Message[]): readonly string[] {
  return messages.findLast((message) => message.kind === 'lingering')?.resources ?? [];
}
