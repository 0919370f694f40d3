/**
 * The keeper: the process that etcd and kube-apiserver are children of. It runs in a session of its
 * own and hears from its owner over one channel; when that channel closes, because the owner asked for
 * the end, crashed, or was killed with its whole process group, the keeper kills its children, waits
 * for them, removes the directory and ends. An owner that is only paused keeps its channel, and so its
 * control plane. It has no timers and decides nothing else.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { claimDirectory, releaseDirectory } from './directory.ts';
import type { Claim, Order, Report } from './messages.ts';

const children = new Map<number, ChildProcess>();
/** There are machines without `setpriv`, and with one that does not know the option. */
const canSetDeathSignal = spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;
let claim: Claim | undefined;
let isEnding = false;

process.on('disconnect', end);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
process.on('message', (order: Order) => {
  if (!isEnding) start(order);
});

try {
  claim = claimDirectory(JSON.parse(process.argv[2] ?? ''));
  report({ kind: 'ready', claim });
} catch (err) {
  report({ kind: 'refused', reason: err instanceof Error ? err.message : String(err) });
}
// An owner that died while this process was loading closed the channel before anybody listened.
if (!process.connected) end();

function start({ id, launch }: Order): void {
  const log = openSync(launch.logFile, 'a', 0o600);
  const [file, ...args] = withDeathSignal([launch.file, ...launch.args]);
  const child = spawn(file, args, { stdio: ['ignore', log, log] });
  closeSync(log);
  children.set(id, child);
  child.once('exit', (code, signal) => {
    children.delete(id);
    report({ kind: 'exited', id, exit: { code, signal } });
  });
  // A file that cannot be run has no pid and no exit, only this.
  child.once('error', () => {
    children.delete(id);
    report({ kind: 'exited', id, exit: { code: 127, signal: null } });
  });
  if (child.pid !== undefined) report({ kind: 'spawned', id, pid: child.pid });
}

/**
 * Has the kernel kill the child when this process dies without having had a chance to, by SIGKILL.
 * Only Linux has that; elsewhere an owner that is still there does it instead.
 */
function withDeathSignal(command: [string, ...string[]]): [string, ...string[]] {
  return canSetDeathSignal ? ['setpriv', '--pdeathsig', 'KILL', ...command] : command;
}

function report(message: Report): void {
  // A report to an owner that has just gone has nobody to fail for.
  if (process.connected) process.send?.(message, () => {});
}

function end(): void {
  if (isEnding) return;
  isEnding = true;
  void Promise.all([...children.values()].map(killed)).then(() => {
    if (claim !== undefined) releaseDirectory(claim);
    process.exit(0);
  });
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
