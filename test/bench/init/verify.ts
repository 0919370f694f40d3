/** Whether a run did what it was measured for: read once, page by page, after the measuring. */
import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../contest/cluster.ts';
import { instanceOf, uninitialized, wantedAddresses } from '../contest/fleet.ts';

/** Rejects where a node is not as it should be. Upstream writes addresses last, so that it gets a while. */
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
