/** Initialised nodes with a pod CIDR of each family, on machines of the simulated cloud. */
import { formatCidr, parseCidr } from '@tandem/core/ip';
import { SimulatedCloud } from '@tandem/provider-simulated';
import { aNode, nodeName } from '../informer/node-objects.ts';
import { podCIDRsOf } from '../ipam/fleet.ts';
import type { BenchPorts } from '../report.ts';

/** The cluster's networks, which hold all of these pod CIDRs. Upstream takes the same. */
export const clusterCIDRs = '10.0.0.0/8,fd00::/48';

/** Machines beyond those of the nodes that are registered at the start, for nodes that come later. */
export const spareMachines = 8;

/** Gives the providerIDs of the machines: by their number, the same in every process. */
export function fillCloud(cloud: SimulatedCloud, machines: number): string[] {
  return Array.from(
    { length: machines },
    (_, number) => cloud.create({ name: nodeName(number) }).providerID,
  );
}

export class Fleet {
  readonly #cloud: SimulatedCloud;
  readonly #providerIDs: readonly string[];

  constructor(ports: BenchPorts, nodes: number) {
    this.#cloud = new SimulatedCloud(ports);
    this.#providerIDs = fillCloud(this.#cloud, nodes + spareMachines);
  }

  aNode(number: number): object {
    const [podCIDR, ...more] = podCIDRsOf(number);
    return this.#node(number, { podCIDR, podCIDRs: [podCIDR, ...more] });
  }

  aNodeWithoutPodCIDRs(number: number): object {
    return this.#node(number, {});
  }

  /** Each destination, in its canonical spelling, with the key of the instance that it has to lead to. */
  wantedRoutes(nodes: number): ReadonlyMap<string, string> {
    const wanted = new Map<string, string>();
    for (let number = 0; number < nodes; number += 1) {
      const key = this.#cloud.identify(this.#providerIDs[number] ?? '') ?? '';
      for (const text of podCIDRsOf(number)) wanted.set(canonical(text), key);
    }
    return wanted;
  }

  #node(number: number, podNetworks: object): object {
    const { spec, ...node } = aNode(number);
    const providerID = this.#providerIDs[number];
    return { ...node, spec: { providerID, taints: spec.taints, ...podNetworks } };
  }
}

function canonical(text: string): string {
  const parsed = parseCidr(text);
  if (parsed.kind === 'invalid') throw new Error(`${text} ${parsed.reason}`);
  return formatCidr(parsed.cidr);
}
