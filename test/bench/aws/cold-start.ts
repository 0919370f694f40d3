/** A cold start: registered nodes are initialised; what the cloud was asked, and what it took. */
import type { Contender } from '../contest/contender.ts';
import { describeRun, type TimedRun } from '../contest/figures.ts';
import { type StartedContender, withContender } from '../contest/run.ts';
import { measureInitialization } from '../contest/timed-run.ts';
import type { AWSBench } from './aws-bench.ts';

export interface ColdStart extends TimedRun {
  /** To EC2, until the manager rested. */
  readonly calls: number;
}

export function measureColdStart(
  scene: AWSBench,
  contender: Contender,
  nodes: number,
): Promise<ColdStart> {
  takeCalls(scene.ec2);
  return withContender(scene.cluster, contender, (running) =>
    measureStarted(scene, running, nodes),
  );
}

/** The same for a manager that goes on running. */
export async function measureStarted(
  { cluster, ec2 }: AWSBench,
  running: StartedContender,
  nodes: number,
): Promise<ColdStart> {
  const run = await measureInitialization(cluster, running, nodes);
  const calls = takeCalls(ec2);
  cluster.ports.say(`${describeRun(run)}, ${describeCalls(calls)}`);
  return { ...run, calls: calls.length };
}

/** What was asked since the last time. */
export function takeCalls({ calls }: AWSBench['ec2']): string[] {
  return calls.splice(0);
}

export function describeCalls(calls: readonly string[]): string {
  const byAction = Map.groupBy(calls, (action) => action);
  const counts = [...byAction].map(([action, { length }]) => `${length} ${action}`);
  return `${calls.length} calls: ${counts.join(', ')}`;
}
