/**
 * One measured run: the registered state, one contender, and what both sides have used once the contender rests. So a
 * contender that defers work pays for it as well.
 */
import { sleep } from '@tandem/runtime';
import type { RequestCounts } from '../../control-plane/index.ts';
import { processUsage, type ProcessUsage } from '../../support/process-usage.ts';
import type { BenchPorts } from '../report.ts';
import type { Cluster } from './cluster.ts';
import type { Contender, RunningContender } from './contender.ts';
import { concernsNodes, isWrite, type Requests, requestsBetween } from './requests.ts';

/** The usage of a run, from the start of the contender's process until it rests. */
export interface RunUsage {
  readonly cpuSeconds: number;
  readonly peakMB: number;
  readonly serverCpuSeconds: number;
  readonly serverPeakMB: number;
  readonly requests: Requests;
  readonly writesPerNode: number;
}

/** A contender that has just been started on the registered state. */
export interface StartedContender extends Pick<RunningContender, 'pid' | 'log'> {
  readonly startMs: number;
  readonly before: Snapshot;
}

interface Snapshot {
  /** etcd's revision, which grows by one with each write. */
  readonly revision: number;
  readonly server: ProcessUsage;
  readonly counts: RequestCounts;
  readonly otherEvents: number;
}

export async function withContender<Result>(
  cluster: Cluster,
  contender: Contender,
  work: (running: StartedContender) => Promise<Result>,
): Promise<Result> {
  await cluster.reset();
  cluster.ports.say(contender.name);
  const before = await snapshot(cluster);
  const startMs = cluster.ports.clock.monotonic();
  return whileRunning(cluster, contender, (running) =>
    work({ pid: running.pid, log: () => running.log(), startMs, before }),
  );
}

/** Stops the contender in any case, and fails as soon as it ends by itself. */
export async function whileRunning<Result>(
  cluster: Cluster,
  contender: Contender,
  work: (running: RunningContender) => Promise<Result>,
): Promise<Result> {
  const running = await contender.start();
  cluster.closers.add(() => running.stop());
  const ended = running.ended.then(async () => {
    throw new Error(`${contender.name} ended by itself:\n${lastLines(await running.log())}`);
  });
  // It also ends when the bench stops it.
  ended.catch(() => {});
  try {
    return await Promise.race([work(running), ended]);
  } finally {
    await running.stop();
  }
}

/** Polls until the work is done, and reports progress. */
export async function untilDone(
  { clock, say }: BenchPorts,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const startMs = clock.monotonic();
  let saidMs = startMs;
  while (!(await isDone())) {
    const nowMs = clock.monotonic();
    if (nowMs - startMs > runMsMax) throw new Error(`nodes still wait after ${runMsMax / 1000} s`);
    if (nowMs - saidMs >= progressMs) {
      saidMs = nowMs;
      say(`  ${Math.round((nowMs - startMs) / 1000)} s`);
    }
    await sleep(clock, pollMs(nowMs - startMs));
  }
}

/** Waits until the contender rests, then reads what it and the API server have used. */
export async function usageAtRest(
  cluster: Cluster,
  running: StartedContender,
  count: number,
): Promise<RunUsage> {
  await cluster.untilQuiet(running.pid);
  const used = await processUsage(running.pid);
  const after = await snapshot(cluster);
  const requests = requestsOf(running.before, after);
  const writes = [...requests].filter(([request]) => isWrite(request));
  return {
    cpuSeconds: used.cpuSeconds,
    peakMB: used.peakBytes / 1e6,
    serverCpuSeconds: after.server.cpuSeconds - running.before.server.cpuSeconds,
    serverPeakMB: after.server.peakBytes / 1e6,
    requests,
    writesPerNode: writes.reduce((sum, [, many]) => sum + many, 0) / count,
  };
}

/** The requests about nodes, and the events about nodes. */
function requestsOf(before: Snapshot, after: Snapshot): Requests {
  const all = requestsBetween(before.counts, after.counts);
  const ours = new Map([...all].filter(([request]) => concernsNodes(request)));
  const sent = ours.get('POST events');
  const others = after.otherEvents - before.otherEvents;
  return sent === undefined ? ours : ours.set('POST events', sent - others);
}

/** Reads the usage of the server first, because the counts cost it some CPU time. */
async function snapshot(cluster: Cluster): Promise<Snapshot> {
  const server = await cluster.serverUsage();
  const counts = await cluster.requestCounts();
  const otherEvents = await cluster.otherEvents();
  return { revision: await cluster.controlPlane.etcdRevision(), server, counts, otherEvents };
}

function lastLines(log: string): string {
  return log.trimEnd().split('\n').slice(-12).join('\n');
}

/**
 * At 5,000 nodes, a poll for the first uninitialised node costs the API server a few milliseconds. This rate gives the
 * time with an error of at most 2 %, and all polls of a run cost less than 3 % of what the API server uses.
 */
function pollMs(elapsedMs: number): number {
  return Math.max(pollMsMin, elapsedMs / 50);
}

const pollMsMin = 100;
const progressMs = 10_000;
/** Several times what upstream's managers need for 5,000 nodes with their limits lifted. */
const runMsMax = 15 * 60_000;
