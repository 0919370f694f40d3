/** A program of ours as a contender: it writes to a log of its own and ends with the bench at the latest. */
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

/** The start line of a program asks for `node`, which is to be the one that runs this. */
function environment(): Environment {
  const known = systemEnvironment();
  return { ...known, PATH: `${dirname(process.execPath)}:${known['PATH'] ?? ''}` };
}

/** A manager gives its Lease back first. */
const stopMsMax = 15_000;
