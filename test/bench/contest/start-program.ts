/** Starts a program of ours as a contender. It has its own log and ends with the bench at the latest. */
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { GuardedProcess } from '../../support/process/index.ts';
import type { RunningContender } from './contender.ts';

export async function startProgram(
  command: readonly [string, ...string[]],
  logFile: string,
  variables: Environment = {},
): Promise<RunningContender> {
  await using log = await open(logFile, 'w');
  const running = new GuardedProcess(command, {
    stdio: ['ignore', log.fd, log.fd],
    env: { ...environment(), ...variables },
  });
  const { pid } = running;
  if (pid === undefined) throw new Error(`${command[0]} cannot be run`);
  return {
    pid,
    ended: running.exited,
    stop: async () => void (await running.stopWithin(stopMsMax)),
    log: () => readFile(logFile, 'utf8'),
  };
}

/** The start line of a program runs `node`, which must be the same as that of the bench. */
function environment(): Environment {
  const known = systemEnvironment();
  return { ...known, PATH: `${dirname(process.execPath)}:${known['PATH'] ?? ''}` };
}

/** A manager releases its Lease first. */
const stopMsMax = 15_000;
