/**
 * The keeper: the process that etcd and kube-apiserver are children of. It runs in a session of its
 * own and hears from its owner over one channel; when that channel closes, because the owner asked for
 * the end, crashed, or was killed with its whole process group, the keeper kills its children, waits
 * for them, removes the directory and ends. An owner that is only paused keeps its channel, and so its
 * control plane. It decides nothing else.
 */
import { closeSync, openSync } from 'node:fs';
import { type ProcessGroup, startGroup } from '../process-group.ts';
import { claimDirectory, releaseDirectory } from './directory.ts';
import type { Claim, Order, Report } from './messages.ts';

const groups = new Set<ProcessGroup>();
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
  const group = startGroup([launch.file, ...launch.args], {
    // The pipe carries nothing: it closes with the last process that has it.
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  groups.add(group);
  void tellEnd(id, group);
  const { pid } = group.leader;
  if (pid !== undefined) report({ kind: 'spawned', id, pid });
}

async function tellEnd(id: number, group: ProcessGroup): Promise<void> {
  const exit = await group.ended;
  groups.delete(group);
  report({ kind: 'exited', id, exit });
}

function report(message: Report): void {
  // A report to an owner that has just gone has nobody to fail for.
  if (process.connected) process.send?.(message, () => {});
}

function end(): void {
  if (isEnding) return;
  isEnding = true;
  void Promise.all([...groups].map(killed)).then(() => {
    if (claim !== undefined) releaseDirectory(claim);
    process.exit(0);
  });
}

async function killed(group: ProcessGroup): Promise<void> {
  group.kill();
  await group.ended;
}
