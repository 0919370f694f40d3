/**
 * Plans the pod CIDRs of one node from the configured ranges. A node that has podCIDRs keeps them, and
 * the plan reports what is wrong with them. A node without podCIDRs gets a block of each family, or the
 * reason why not.
 */
import { type Cidr, formatCidr } from '../ip/index.ts';
import { findPodCIDRProblems, type PodCIDRFinding, type PodCIDRFindingCode } from './finding.ts';
import type { PodCIDRLedger, Search } from './ledger.ts';
import { readPodCIDR } from './pod-cidrs.ts';
import { findPool, type PodCIDRPool, poolText } from './pool.ts';

export interface AllocationNode {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly podCIDRs: readonly string[];
  readonly isPaused: boolean;
  /** Whether the node is being deleted: it keeps its podCIDRs and gets no others. */
  readonly isDeleting: boolean;
}

export interface PodCIDRPlan {
  readonly findings: readonly PodCIDRFinding[];
  readonly outcome: PodCIDROutcome;
}

export type PodCIDROutcome =
  | { readonly kind: 'settled' }
  | {
      readonly kind: 'assign';
      readonly podCIDRs: readonly [string, ...string[]];
      readonly reason: string;
      /** The searches for free blocks, for the metric. */
      readonly searches: readonly Search[];
    }
  /** The cloud has to be asked first. Until it answers, findings of the undecided codes stay as they were. */
  | { readonly kind: 'lookup'; readonly undecided: readonly PodCIDRFindingCode[] }
  /** There are blocks, but a finding says why the node must not get them. */
  | { readonly kind: 'heldBack' }
  /** There is nothing to assign until something else changes. */
  | {
      readonly kind: 'notAvailable';
      readonly message: string;
      /**
       * Outcomes with the same cause are the same, even if their messages differ. Defaults to the
       * message.
       */
      readonly cause?: string;
    };

export interface AllocationSettings {
  readonly pools: readonly PodCIDRPool[];
  readonly serviceRanges: readonly Cidr[];
}

/** Reserves the planned blocks in the ledger, so that no other node gets them. */
export function planPodCIDRs(
  node: AllocationNode,
  { pools, serviceRanges, ledger }: AllocationSettings & { readonly ledger: PodCIDRLedger },
): PodCIDRPlan {
  if (node.isPaused) return settled;
  const pool = findPool(pools, node.labels);
  if (node.podCIDRs.length > 0) {
    const podCIDRs = node.podCIDRs.map(readPodCIDR);
    const sharers = (cidr: Cidr): readonly string[] => ledger.sharers(node.uid, cidr);
    const findings = findPodCIDRProblems({ podCIDRs, pool, pools, serviceRanges, sharers });
    return { findings, outcome: { kind: 'settled' } };
  }
  if (node.isDeleting) return settled;
  if (pool === undefined) {
    return notAvailable(
      'No pool of pod CIDRs selects this node. Add a pool whose selector matches the labels of the node, or pass --cluster-cidr.',
    );
  }
  const reserved = ledger.reserve(node, pool);
  if (reserved.kind === 'exhausted') {
    const { range } = reserved;
    // The message has the number of blocks in doubt, which changes often and must not cause a new
    // event.
    return notAvailable(exhausted(pool, { range, ledger }), `exhausted ${formatCidr(range)}`);
  }
  const [first, ...others] = reserved.cidrs;
  const podCIDRs: [string, ...string[]] = [formatCidr(first), ...others.map(formatCidr)];
  const reason = `the node has no podCIDRs, and pool ${pool.name} has free blocks`;
  return {
    findings: [],
    outcome: { kind: 'assign', podCIDRs, reason, searches: reserved.searches },
  };
}

const settled: PodCIDRPlan = { findings: [], outcome: { kind: 'settled' } };

function notAvailable(message: string, cause = message): PodCIDRPlan {
  return { findings: [], outcome: { kind: 'notAvailable', message, cause } };
}

function exhausted(
  pool: PodCIDRPool,
  { range, ledger }: { readonly range: Cidr; readonly ledger: PodCIDRLedger },
): string {
  const size = pool.ranges.find(({ cidr }) => cidr === range)?.nodeMaskSize ?? 0;
  const counts = ledger.counts().find((one) => one.range === range)?.counts;
  const inDoubt = ledger.doubtsIn(range);
  const held = Math.max(0, (counts?.inDoubt ?? 0) - inDoubt);
  const doubts = inDoubt === 0 ? '' : ` ${inDoubt} of its blocks wait for the outcome of a write.`;
  const routes =
    held === 0
      ? ''
      : ` ${held} of its blocks had nodes that are gone, and wait until no route leads to them.`;
  return `Pool ${poolText(pool)} has no free /${size} in ${formatCidr(range)}, and a node gets all of its families or none.${doubts}${routes} Delete Nodes that are not needed, or add a pool.`;
}
