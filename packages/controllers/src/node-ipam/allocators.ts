/**
 * The two sources of pod CIDRs. RangeAllocator takes blocks from the configured ranges; CloudAllocator takes the blocks
 * that the cloud lists for an instance. Both plan one node at a time, and each keeps a ledger of the nodes that hold
 * each block.
 */
import {
  type AllocationNode,
  type AllocationSettings,
  chosenBlocks,
  type CloudBlocks,
  findPool,
  PodCIDRLedger,
  type PodCIDRPlan,
  planPodCIDRs,
  planPodCIDRsFromCloud,
} from '@tandem/core/allocation';
import { type Cidr, type Family, formatCidr } from '@tandem/core/ip';
import { isInitialised, isPausing, pausedAnnotation } from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/node';
import type { Answer, InstanceLookup } from '@tandem/provider/lookup';
import { nodeRefOf } from '../loop/index.ts';
import type { IpamNode } from './ipam-state.ts';

export interface Allocator {
  readonly ledger: PodCIDRLedger;
  /** Plans the pod CIDRs of one node. A RangeAllocator reserves the blocks that it plans to assign. */
  plan(record: IpamNode, node: NodeProjection): PodCIDRPlan;
  /** Releases blocks that are reserved for a node that must not get them any more. Returns how many became free. */
  releaseOutdated(node: NodeProjection): number;
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

  /** The node was paused, is about to go, or has other labels than when its write failed. */
  releaseOutdated(node: NodeProjection): number {
    const { isPaused, isDeleting, labels } = factsOf(node);
    const pool = isPaused || isDeleting ? undefined : findPool(this.#settings.pools, labels);
    return this.ledger.giveUpOutside(node.uid, pool);
  }
}

export interface CloudAllocatorOptions {
  readonly lookup: InstanceLookup;
  /** The families that nodes get, the primary one first. */
  readonly families: readonly Family[];
  readonly serviceRanges: readonly Cidr[];
  /** Called with the UIDs of the nodes that an answer of the cloud affects. */
  readonly onAnswer: (uids: readonly string[]) => void;
}

/** The accepted age of an answer. An instance usually keeps its blocks for life, so a few minutes do no harm. */
const usualAgeMs = 300_000;
/** The accepted age for a node whose last answer is outdated. One second still lets nodes share an answer. */
const freshAgeMs = 1_000;

const leaveAlone: PodCIDRPlan = { findings: [], outcome: { kind: 'settled' } };

export class CloudAllocator implements Allocator {
  readonly ledger: PodCIDRLedger = new PodCIDRLedger({ pools: [], excluded: [] });
  readonly #options: CloudAllocatorOptions;

  constructor(options: CloudAllocatorOptions) {
    this.#options = options;
  }

  plan(record: IpamNode, node: NodeProjection): PodCIDRPlan {
    const { lookup, families, serviceRanges } = this.#options;
    // The manager of another cloud serves the nodes of that cloud.
    if (!lookup.owns(node)) return leaveAlone;
    const { cloud } = record.state;
    const answer = cloud?.providerID === node.providerID ? cloud.answer : undefined;
    // A failure does not change whose the node is.
    if (answer?.kind === 'unknown' && lookup.isNotOurs(node)) return leaveAlone;
    const sharers = (cidr: Cidr): readonly string[] => this.ledger.sharers(node.uid, cidr);
    if (answer === undefined) this.#ask(record, node);
    const { misses, isWaiting } = record.state;
    const facts = {
      ...factsOf(node),
      providerID: node.providerID,
      isInitialised: isInitialised(node),
    };
    const input = { node: facts, families, serviceRanges, answer, misses, isWaiting, sharers };
    return planPodCIDRsFromCloud(input);
  }

  /** The cloud reserves nothing: the ledger has what instances have. */
  releaseOutdated(): number {
    return 0;
  }

  /** Discards the last answer, because the provider noticed a change. A miss from before the change does not count. */
  noticed(record: IpamNode): void {
    const answer = record.state.cloud?.answer;
    if (answer !== undefined && isMiss(answer)) record.state.misses -= 1;
    this.outdate(record);
  }

  /** Discards the last answer about the node's instance, because the instance may have changed. */
  outdate({ state }: IpamNode): void {
    state.cloud = undefined;
    state.isOutdated = true;
  }

  /**
   * Asks the cloud without blocking the turn. The answer wakes the node, and the lookup combines the questions of many
   * nodes into one call.
   */
  #ask(record: IpamNode, node: NodeProjection): void {
    const { lookup, onAnswer } = this.#options;
    const { providerID } = node;
    if (record.state.cloud?.providerID === providerID) return;
    const asked = { providerID, answer: undefined };
    const maxAgeMs = record.state.isOutdated ? freshAgeMs : usualAgeMs;
    record.state.cloud = asked;
    record.state.isOutdated = false;
    // Without a signal, `ask` never rejects.
    void lookup.ask(nodeRefOf(node), { maxAgeMs }).then((answer) =>
      // The controller may have asked another question in the meantime.
      record.isGone || record.state.cloud !== asked
        ? undefined
        : onAnswer([record.uid, ...this.#take(record, node, blocksIn(answer))]),
    );
  }

  /**
   * Stores the answer and enters the node's blocks in the ledger before the controller plans any node of the same
   * answer. Returns the UIDs of the nodes whose blocks overlap.
   */
  #take(record: IpamNode, node: NodeProjection, blocks: CloudBlocks): readonly string[] {
    record.state.cloud = { providerID: node.providerID, answer: blocks };
    record.state.misses = isMiss(blocks) ? record.state.misses + 1 : 0;
    if (blocks.kind !== 'found') return [];
    // The ledger releases blocks that the instance no longer has, unless the node already shows podCIDRs.
    const before = node.podCIDRs.length > 0 ? [] : this.ledger.drop(record.uid).overlapped;
    const chosen = chosenBlocks(blocks, this.#options.families);
    const podCIDRs = chosen.map((cidr) => ({ text: formatCidr(cidr), cidr }));
    return [...before, ...(this.ledger.show(record, podCIDRs)?.overlapped ?? [])];
  }
}

function blocksIn(answer: Answer): CloudBlocks {
  switch (answer.kind) {
    case 'found':
      return { kind: 'found', blocks: answer.instance.podBlocks };
    case 'unknown':
      return { kind: 'unknown', reason: answer.err.message };
    case 'absent':
    case 'notOurs':
      return { kind: answer.kind };
  }
}

function isMiss({ kind }: CloudBlocks): boolean {
  return kind === 'absent' || kind === 'unknown';
}

function factsOf(node: NodeProjection): AllocationNode {
  return {
    name: node.name,
    uid: node.uid,
    labels: node.labels,
    podCIDRs: node.podCIDRs,
    isPaused: isPausing(node.annotations[pausedAnnotation]),
    isDeleting: node.deletionTimestampSeconds !== undefined,
  };
}
