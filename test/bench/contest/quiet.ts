/** The writes and the CPU time of a manager while only heartbeats happen. */
import { processUsage } from '../../support/process-usage.ts';
import type { Cluster } from './cluster.ts';
import { requestsBetween, writesIn } from './requests.ts';

export interface Quiet {
  /** Beside the heartbeats. */
  readonly quietWrites: number;
  readonly quietCpuPercent: number;
}

export async function measureQuiet(
  cluster: Cluster,
  pid: number,
  { quietSeconds, nodes }: { readonly quietSeconds: number; readonly nodes: number },
): Promise<Quiet> {
  const { clock, say } = cluster.ports;
  say(`  ${heartbeatsPerSecond} heartbeats a second for ${quietSeconds} s`);
  const load = await cluster.load();
  const startMs = clock.monotonic();
  const usedBefore = await processUsage(pid);
  const countsBefore = await cluster.requestCounts();
  await load.beat({ perSecond: heartbeatsPerSecond, seconds: quietSeconds, among: nodes });
  const used = await processUsage(pid);
  const elapsedMs = clock.monotonic() - startMs;
  const requests = requestsBetween(countsBefore, await cluster.requestCounts());
  const beats = heartbeatsPerSecond * quietSeconds;
  const asked = [...requests].map(([request, count]) => `${count} ${request}`).join(', ');
  say(`  asked meanwhile: ${asked}; ${beats} of these were the heartbeats`);
  return {
    quietWrites: writesIn(requests) - beats,
    quietCpuPercent: ((used.cpuSeconds - usedBefore.cpuSeconds) * 100_000) / elapsedMs,
  };
}

/** Of 5,000 kubelets that report every five minutes. */
const heartbeatsPerSecond = 17;
