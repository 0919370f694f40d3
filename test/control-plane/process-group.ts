/**
 * A program and whatever it starts, as one thing: the process group that it leads. A wrapper script
 * that calls the real program without `exec` is the reason: of the script alone, a signal would not
 * reach that program and the end would not be that program's end. The group dies with the process that
 * started it, however that ends.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { type Clock, systemClock, withDeadline } from '@tandem/runtime';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessGroup {
  /** The program, which leads the group; it has no pid when it could not be started. */
  readonly leader: ChildProcess;
  /**
   * How the program ended, once all that shares a pipe of `stdio` with us has ended as well. What stays
   * on after the program is killed, and what got away from the group is not waited for.
   */
  readonly ended: Promise<Exit>;
  /** Ends all of the group at once; `ended` tells when that is done. */
  readonly kill: () => void;
}

export function startGroup(
  [file, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
  clock: Clock = systemClock,
): ProcessGroup {
  const tie = startTie();
  const leader = spawn(file, args, { ...options, detached: true });
  const closed = new Promise<void>((resolve) => leader.once('close', () => resolve()));
  // A file that cannot be run has no pid and no exit, only an error; a shell calls that 127.
  const exited = new Promise<Exit>((resolve) => {
    leader.once('exit', (code, signal) => resolve({ code, signal }));
    leader.once('error', () => resolve({ code: 127, signal: null }));
  });
  const { pid } = leader;
  if (pid === undefined) {
    tie.undo();
    return { leader, ended: exited, kill: () => {} };
  }
  tie.hold(pid);
  return {
    leader,
    ended: gone(pid, { exited, closed, clock }).finally(() => tie.undo()),
    kill: () => signalGroup(pid, 'SIGKILL'),
  };
}

/** Sends a signal to all of a group at once. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals): void {
  // 0 would be the group of this process, and 1 every process there is.
  assert(leaderPid > 1);
  try {
    process.kill(-leaderPid, signal);
  } catch {
    // Nothing of it is left.
  }
}

async function gone(
  leaderPid: number,
  { exited, closed, clock }: { exited: Promise<Exit>; closed: Promise<void>; clock: Clock },
): Promise<Exit> {
  const exit = await exited;
  for (const limitMs of [windingDownMsMax, dyingMsMax]) {
    const isGone = await withDeadline({ clock, limitMs }, () => closed).then(
      () => true,
      () => false,
    );
    if (isGone) break;
    signalGroup(leaderPid, 'SIGKILL');
  }
  return exit;
}

/** A shell that is told to end does so at once, while the program that it called winds down. */
const windingDownMsMax = 3_000;

const dyingMsMax = 3_000;

interface Tie {
  /** From here on the group dies with this process. */
  readonly hold: (leaderPid: number) => void;
  readonly undo: () => void;
}

/**
 * Has a group killed when this process dies, by SIGKILL too: a shell beside the group waits for the
 * end of its input, which the kernel brings about. It is there before the group and only told of it,
 * because to start it takes long enough to be killed meanwhile. Linux could signal the program itself
 * (`setpriv --pdeathsig`), but not what that has started.
 */
function startTie(): Tie {
  const script =
    'read -r group || exit 0; while read -r line; do :; done; kill -s KILL -- "-$group"';
  const shell = spawn('/bin/sh', ['-c', script, 'tandem-tie'], {
    // Out of reach of signals to this process's group, and not paused with the program's.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Where there is no such shell, the group is merely not tied.
  shell.once('error', () => {});
  shell.stdin.on('error', () => {});
  return {
    hold: (leaderPid) => void shell.stdin.write(`${leaderPid}\n`),
    // Killed, for by the end of its input it would signal a group that may by then be another's.
    undo: () => void shell.kill('SIGKILL'),
  };
}
