/**
 * Where pod CIDRs come from: the ranges of the configuration (RangeAllocator), or what the cloud says that an
 * instance has (CloudAllocator). Both decide about one node at a time and keep one ledger of who holds what.
 */
import {
  type AllocationNode,
  type AllocationSettings,
  chosenBlocks,
  type CloudBlocks,
  PodCIDRLedger,
  type PodCIDRPlan,
  planPodCIDRs,
  planPodCIDRsFromCloud,
} from '@tandem/core/allocation';
import { type Cidr, type Family, formatCidr } from '@tandem/core/ip';
import { isPausing, pausedAnnotation } from '@tandem/core/node-init';
import { recordOf, valueAt } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';
import type { Answer, InstanceLookup } from '@tandem/provider/lookup';
import { nodeRefOf } from '../loop/index.ts';
import type { IpamNode } from './ipam-state.ts';

export interface Allocator {
  readonly ledger: PodCIDRLedger;
  /** What it plans to assign is reserved for the node. */
  plan(record: IpamNode, node: NodeProjection): PodCIDRPlan;
}

export class RangeAllocator implements Allocator {
  readonly ledger: PodCIDRLedger;
  readonly #settings: AllocationSettings;

  constructor(settings: AllocationSettings) {
    this.#settings = settings;
    this.ledger = new PodCIDRLedger({ pools: settings.pools, excluded: settings.serviceRanges });
  }

  plan(_record: IpamNode, node: NodeProjection): PodCIDRPlan {
    return planPodCIDRs(factsOf(node), { ...this.#settings, ledger: this.ledger });
  }
}

export interface CloudAllocatorOptions {
  readonly lookup: InstanceLookup;
  /** The primary family first. */
  readonly families: readonly Family[];
  /** The UIDs of the nodes that an answer of the cloud is about. */
  readonly onAnswer: (uids: readonly string[]) => void;
}

/** Blocks that the cloud listed within the last minutes will do: an instance mostly has them for life. */
const usualAgeMs = 300_000;
/** For a node whose instance lacked something: what other questions have just been answered with will do. */
const freshAgeMs = 1_000;

export class CloudAllocator implements Allocator {
  readonly ledger: PodCIDRLedger = new PodCIDRLedger({ pools: [], excluded: [] });
  readonly #options: CloudAllocatorOptions;

  constructor(options: CloudAllocatorOptions) {
    this.#options = options;
  }

  plan(record: IpamNode, node: NodeProjection): PodCIDRPlan {
    const { lookup, families } = this.#options;
    // Nodes of other clouds get their blocks from the manager of that cloud.
    if (!lookup.owns(node)) return { findings: [], outcome: { kind: 'settled' } };
    const { cloud } = record.state;
    const answer = cloud?.providerID === node.providerID ? cloud.answer : undefined;
    const sharers = (cidr: Cidr): readonly string[] => this.ledger.sharers(node.uid, cidr);
    if (answer === undefined) this.#ask(record, node);
    return planPodCIDRsFromCloud({ node: factsOf(node), families, answer, sharers });
  }

  /** What is known of the node's instance may be out of date. */
  outdate({ state }: IpamNode): void {
    state.cloud = undefined;
    state.isOutdated = true;
  }

  /** Asking holds up nobody: the answer wakes the node, and a thousand nodes are one call. */
  #ask(record: IpamNode, node: NodeProjection): void {
    const { lookup, onAnswer } = this.#options;
    const { providerID } = node;
    if (record.state.cloud?.providerID === providerID) return;
    const asked = { providerID, answer: undefined };
    const maxAgeMs = record.state.isOutdated ? freshAgeMs : usualAgeMs;
    record.state.cloud = asked;
    record.state.isOutdated = false;
    // It never rejects without a signal.
    void lookup.ask(nodeRefOf(node), { maxAgeMs }).then((answer) =>
      // Another question may have been asked meanwhile.
      record.isGone || record.state.cloud !== asked
        ? undefined
        : onAnswer([record.uid, ...this.#take(record, node, blocksIn(answer))]),
    );
  }

  /** Files the node's blocks before any node of the same answer is decided about; says who has them, too. */
  #take(record: IpamNode, node: NodeProjection, blocks: CloudBlocks): readonly string[] {
    record.state.cloud = { providerID: node.providerID, answer: blocks };
    if (blocks.kind !== 'found') return [];
    // Blocks that the instance no longer has are let go of, unless the node shows them.
    const before = node.podCIDRs.length > 0 ? [] : this.ledger.drop(record.uid).overlapped;
    const chosen = chosenBlocks(blocks, this.#options.families);
    const podCIDRs = chosen.map((cidr) => ({ text: formatCidr(cidr), cidr }));
    return [...before, ...(this.ledger.show(record, podCIDRs)?.overlapped ?? [])];
  }
}

function blocksIn(answer: Answer): CloudBlocks {
  if (answer.kind !== 'found') return { kind: answer.kind };
  return { kind: 'found', blocks: answer.instance.podBlocks };
}

function factsOf(node: NodeProjection): AllocationNode {
  return {
    name: node.name,
    uid: node.uid,
    labels: recordOf(node.labels),
    podCIDRs: node.podCIDRs,
    isPaused: isPausing(valueAt(node.annotations, pausedAnnotation)),
    isDeleting: node.deletionTimestampSeconds !== undefined,
  };
}
