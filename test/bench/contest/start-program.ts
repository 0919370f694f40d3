/** A program of ours as a contender: it writes to a log of its own and ends with the bench at the latest. */
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Environment, systemClock, systemEnvironment, withDeadline } from '@tandem/runtime';
import { startGroup } from '../../control-plane/process-group.ts';
import type { RunningContender } from './contender.ts';

export async function startProgram(
  command: readonly [string, ...string[]],
  logFile: string,
  variables: Environment = {},
): Promise<RunningContender> {
  await using log = await open(logFile, 'w');
  const group = startGroup(command, {
    stdio: ['ignore', log.fd, log.fd],
    env: { ...environment(), ...variables },
  });
  const { pid } = group.leader;
  if (pid === undefined) throw new Error(`${command[0]} cannot be run`);
  return {
    pid,
    ended: group.ended,
    async stop() {
      group.leader.kill('SIGTERM');
      const limits = { clock: systemClock, limitMs: stopMsMax };
      await withDeadline(limits, () => group.ended).catch(() => group.kill());
      await group.ended;
    },
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
