/**
 * Cleans up after this process when it dies, also by SIGKILL. A shell beside it waits for the end of its input, which
 * the kernel closes, and then runs the last commands that it got: it kills process groups, then removes directories.
 * There is one shell, in a session of its own, so that no signal to this process's group reaches it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';

export interface Bequest extends Disposable {
  /** Removes the command from the clean-up. */
  [Symbol.dispose](): void;
}

/** Has all processes of a group killed when this process dies. */
export function bequeathGroup(leaderPid: number): Bequest {
  // 0 would be the group of this process, and 1 every process there is.
  assert(leaderPid > 1);
  return add(groups, `kill -s KILL -- -${leaderPid}`);
}

/** Has these paths removed with their content when this process dies, then those of `ifEmpty` that are empty. */
export function bequeathRemoval(
  paths: readonly string[],
  ifEmpty: readonly string[] = [],
): Bequest {
  const remove = `rm -rf -- ${paths.map(quoted).join(' ')}`;
  const prune = ifEmpty.map((path) => `rmdir -- ${quoted(path)}`);
  // A process that has just been killed may still hold a file.
  return add(removals, [`${remove} || { sleep 1; ${remove}; }`, ...prune].join('; '));
}

/** Starts the shell in advance: this process could be killed while the shell starts. */
export function readyGuard(): void {
  shell ??= startShell();
}

const groups = new Set<{ readonly command: string }>();
const removals = new Set<{ readonly command: string }>();
let shell: ChildProcess | undefined;

function add(to: typeof groups, command: string): Bequest {
  const bequest = { command };
  to.add(bequest);
  sendCommands();
  return {
    [Symbol.dispose]() {
      if (to.delete(bequest)) sendCommands();
    },
  };
}

/** Each line has all commands, and replaces the line before. */
function sendCommands(): void {
  const commands = [...groups, ...removals].map(({ command }) => command).join('; ');
  readyGuard();
  shell?.stdin?.write(`${commands}\n`);
}

function startShell(): ChildProcess {
  // A test may have set a PATH on which there is no `rm`.
  const script =
    'PATH=$PATH:/usr/bin:/bin; while IFS= read -r line; do last=$line; done; eval "$last"';
  const started = spawn('/bin/sh', ['-c', script, 'tandem-guard'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without such a shell, nothing is guarded.
  started.once('error', () => {});
  started.stdin.on('error', () => {});
  started.once('exit', () => (shell = undefined));
  // It must not keep a process alive that has nothing else to do.
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
