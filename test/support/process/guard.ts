/**
 * What happens when this process dies, by SIGKILL too: its will. A shell beside it waits for the end of its input, which
 * the kernel brings about, and then carries out the last will that it was given: it kills process groups, then
 * removes directories. There is one shell, in a session of its own, so that no signal to this process's group reaches it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';

export interface Bequest extends Disposable {
  /** It is no longer part of the will. */
  [Symbol.dispose](): void;
}

/** Has all processes of a group killed. */
export function bequeathGroup(leaderPid: number): Bequest {
  // 0 would be the group of this process, and 1 every process there is.
  assert(leaderPid > 1);
  return add(groups, `kill -s KILL -- -${leaderPid}`);
}

/** Has these paths removed with all that is in them, then those of `ifEmpty`, in their order, that are empty. */
export function bequeathRemoval(
  paths: readonly string[],
  ifEmpty: readonly string[] = [],
): Bequest {
  const remove = `rm -rf -- ${paths.map(quoted).join(' ')}`;
  const prune = ifEmpty.map((path) => `rmdir -- ${quoted(path)}`);
  // A process that has just been killed may still hold a file.
  return add(removals, [`${remove} || { sleep 1; ${remove}; }`, ...prune].join('; '));
}

/** Starts the shell beforehand: the start takes long enough for this process to be killed meanwhile. */
export function readyGuard(): void {
  shell ??= startShell();
}

const groups = new Set<{ readonly command: string }>();
const removals = new Set<{ readonly command: string }>();
let shell: ChildProcess | undefined;

function add(to: typeof groups, command: string): Bequest {
  const bequest = { command };
  to.add(bequest);
  writeWill();
  return {
    [Symbol.dispose]() {
      if (to.delete(bequest)) writeWill();
    },
  };
}

/** Each line is a whole will, and takes the place of the one before. */
function writeWill(): void {
  const will = [...groups, ...removals].map(({ command }) => command).join('; ');
  readyGuard();
  shell?.stdin?.write(`${will}\n`);
}

function startShell(): ChildProcess {
  // A test may have set a PATH on which there is no `rm`.
  const script =
    'PATH=$PATH:/usr/bin:/bin; while IFS= read -r line; do will=$line; done; eval "$will"';
  const started = spawn('/bin/sh', ['-c', script, 'tandem-guard'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Where there is no such shell, nothing is guarded.
  started.once('error', () => {});
  started.stdin.on('error', () => {});
  started.once('exit', () => (shell = undefined));
  // It must not hold the event loop of a process that has nothing else to do.
  started.unref();
  unrefStream(started.stdin);
  return started;
}

/** Pipes to children are sockets, which the type does not tell. */
export function unrefStream(stream: unknown): void {
  const { unref } = Object(stream);
  if (typeof unref === 'function') unref.call(stream);
}

/** The text as one word of a shell, on one line. */
function quoted(text: string): string {
  assert(!text.includes('\n'), 'a line break in a path');
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
