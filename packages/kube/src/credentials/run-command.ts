/**
 * Runs a third-party command with limits on time and output, and without a terminal. The command runs in
 * a process group of its own, so that its children are killed with it, at the limit or when this process
 * ends. A group whose leader has ended is never signalled: the system may have given its id to unrelated
 * processes. Children that outlive the leader lose our pipes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '@tandem/runtime';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly limitMs: number;
}

export type CommandOutcome =
  | { readonly kind: 'not started'; readonly err: Error }
  | { readonly kind: 'timed out'; readonly errorTail: string }
  | { readonly kind: 'too much output' }
  | { readonly kind: 'failed'; readonly how: string; readonly errorTail: string }
  | { readonly kind: 'succeeded'; readonly output: string };

const outputBytesMax = 1024 * 1024;

/** The kept end of the error output. */
const errorTailChars = 500;

export async function runCommand(command: Command): Promise<CommandOutcome> {
  try {
    return await runToItsEnd(command);
  } catch (err) {
    // An argument that no process accepts: it contains a NUL or is too long.
    return { kind: 'not started', err: err instanceof Error ? err : new Error(String(err)) };
  }
}

function runToItsEnd({
  file,
  args,
  environment,
  clock,
  limitMs,
}: Command): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], {
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let errorTail = '';
    const onExit = (): void => endGroup(child);
    process.on('exit', onExit);
    const settle = (outcome: CommandOutcome): void => {
      timer.cancel();
      process.off('exit', onExit);
      endGroup(child);
      resolve(outcome);
    };
    const timer = clock.after(limitMs, () => settle({ kind: 'timed out', errorTail }));
    child.stdout.on('data', (chunk: Buffer) => {
      output.push(chunk);
      outputBytes += chunk.length;
      if (outputBytes > outputBytesMax) settle({ kind: 'too much output' });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errorTail = (errorTail + chunk.toString('utf8')).slice(-errorTailChars);
    });
    child.on('error', (err) => settle({ kind: 'not started', err }));
    child.on('close', (code, signal) => {
      const how = code === null ? `was killed by ${signal}` : `exited with code ${code}`;
      settle(
        code === 0
          ? { kind: 'succeeded', output: Buffer.concat(output).toString('utf8') }
          : { kind: 'failed', how, errorTail: errorTail.trim() },
      );
    });
  });
}

/** Closes the pipes, and kills the group while its leader has not been reaped. */
function endGroup(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  if (child.pid === undefined || hasEnded) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The leader has just ended and is reaped in the next turn.
  }
}
