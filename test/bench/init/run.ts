/** One run of an initialisation: the time until the last node is initialised, and what the run used. */
import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { describeRun, type TimedRun } from '../contest/figures.ts';
import { instanceOf, uninitialized, wantedAddresses } from '../contest/fleet.ts';
import { type StartedContender, withContender } from '../contest/run.ts';
import { measureInitialization } from '../contest/timed-run.ts';

export function measureRun(
  cluster: Cluster,
  contender: Contender,
  count: number,
): Promise<TimedRun> {
  return withContender(cluster, contender, (running) => measureStartedRun(cluster, running, count));
}

/** The same for a contender that goes on running. */
export async function measureStartedRun(
  cluster: Cluster,
  running: StartedContender,
  count: number,
): Promise<TimedRun> {
  const run = await measureInitialization(cluster, running, count);
  await verifyInitialized(cluster, count);
  cluster.ports.say(describeRun(run));
  return run;
}

/** Rejects where a node is not as it should be. Upstream writes addresses last, so it is given a while. */
export async function verifyInitialized(cluster: Cluster, count: number): Promise<void> {
  await cluster.verifyNodes<SeenNode>(count, verify);
}

interface SeenNode {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly providerID?: string; readonly taints?: readonly { key: string }[] };
  readonly status: { readonly addresses: readonly object[] };
}

function verify({ metadata: { name }, spec, status }: SeenNode): void {
  const number = Number(name.slice('node-'.length));
  const found = {
    isTainted: spec.taints?.some(({ key }) => key === uninitialized) ?? false,
    providerID: spec.providerID,
    addresses: status.addresses,
  };
  const wanted = {
    isTainted: false,
    providerID: instanceOf(number).providerID,
    addresses: wantedAddresses(number),
  };
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`${name} is ${JSON.stringify(found)} and not ${JSON.stringify(wanted)}`);
}
