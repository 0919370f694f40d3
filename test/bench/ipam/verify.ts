/** Verifies after a measurement that every node has its pod CIDRs. */
import { type Cidr, containsCidr, formatCidr, parseCidr } from '@tandem/core/ip';
import { type Cluster, lastRevision } from '../contest/cluster.ts';

/**
 * Rejects unless every node has a block of each family that no other node has. Returns the revision of the last write
 * to a node.
 */
export async function verifyAllocated(cluster: Cluster, count: number): Promise<number> {
  const seen = await cluster.verifyNodes<SeenNode>(count, blocksOf);
  const blocks = new Set(seen.flatMap(blocksOf));
  if (blocks.size !== 2 * count) throw new Error('two nodes have the same block');
  return lastRevision(seen);
}

interface SeenNode {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: { readonly podCIDR?: string; readonly podCIDRs?: readonly string[] };
}

function blocksOf({ metadata: { name }, spec }: SeenNode): string[] {
  const blocks = (spec.podCIDRs ?? []).map(networkOf);
  const isPair =
    blocks.length === ranges.length &&
    ranges.every(({ range, prefixLength }, index) => {
      const block = blocks[index];
      return block?.prefixLength === prefixLength && containsCidr(range, block);
    });
  if (!isPair || spec.podCIDR !== spec.podCIDRs?.[0]) {
    throw new Error(`${name} has ${JSON.stringify(spec)}`);
  }
  return blocks.map(formatCidr);
}

function networkOf(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed.kind === 'invalid') throw new Error(`${text} ${parsed.reason}`);
  return parsed.cidr;
}

const ranges = [
  { range: networkOf('10.0.0.0/8'), prefixLength: 24 },
  { range: networkOf('fd00::/32'), prefixLength: 64 },
];
