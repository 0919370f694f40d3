/**
 * Finds out who else hands out pod CIDRs. That podCIDRs appear which this process did not write says that a
 * second allocator is at work; who it is, the node's managed fields say, which no cache keeps. One node is
 * read for a minute's worth of findings: an allocator that serves one node serves them all.
 *
 * Another Tandem has the same name there, and so has a predecessor that led with the same Lease, whose last write
 * may come late. It is told apart by time alone: a warning that can be false would be worse than none.
 */
import { fieldManager, type KubeClient } from '@tandem/kube/client';
import { type NodeProjection, nodeResource } from '@tandem/kube/node';
import { type Clock, fieldOf, type Logger } from '@tandem/runtime';
import { callLimitMs, type Reports } from '../loop/index.ts';
import { ipamEvent } from './ipam-reports.ts';
import type { IpamNode } from './ipam-state.ts';
import type { IpamMetrics } from './metrics.ts';

const tellEveryMs = 60_000;

/**
 * No write of a predecessor is stored so late. The API server and etcd take 41 s at most for a write that it has
 * accepted, even where the server-side time-out of our writes did not hold (decision 14).
 */
const predecessorMsMax = 60_000;

export interface ForeignAllocatorOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: IpamMetrics;
  readonly reports: Reports;
}

export class ForeignAllocator {
  readonly #options: ForeignAllocatorOptions;
  #toldMs = Number.NEGATIVE_INFINITY;
  #untold = 0;
  #begunMs: number | undefined;

  constructor(options: ForeignAllocatorOptions) {
    this.#options = options;
  }

  /** This process allocates from now on. */
  begin(): void {
    this.#begunMs = this.#options.clock.monotonic();
  }

  /** The node has podCIDRs that this process did not write. */
  async found(record: IpamNode, node: NodeProjection, signal: AbortSignal): Promise<void> {
    const { clock, logger, metrics, reports } = this.#options;
    metrics.foreign();
    this.#untold += 1;
    const nowMs = clock.monotonic();
    if (nowMs - this.#toldMs < tellEveryMs) return;
    const nodes = this.#untold;
    this.#toldMs = nowMs;
    this.#untold = 0;
    const manager = await this.#managerOf(node, signal);
    const mayBePredecessor = nowMs - (this.#begunMs ?? nowMs) < predecessorMsMax;
    // A write of a predecessor, or of a successor where this process was paused and leads no longer.
    if (manager === fieldManager && (mayBePredecessor || signal.aborted)) return;
    const facts = { node: node.name, podCIDRs: node.podCIDRs.join(','), manager, nodes };
    logger.warn(facts, 'Another program assigns pod CIDRs');
    reports.record(record, ipamEvent(node, 'ForeignAllocator', noteOf(node, manager)));
  }

  /** Who set the podCIDRs, by the node's managed fields; undefined where they do not tell. */
  async #managerOf(node: NodeProjection, signal: AbortSignal): Promise<string | undefined> {
    const { client, logger } = this.#options;
    try {
      const resource = nodeResource(node.name);
      const answer = await client.call({ verb: 'get', resource, limitMs: callLimitMs, signal });
      return podCIDRManager(JSON.parse(new TextDecoder().decode(answer.body)));
    } catch (err) {
      logger.debug({ err, node: node.name }, 'Could not read who assigned pod CIDRs');
      return undefined;
    }
  }
}

/** The field manager that set `spec.podCIDRs`, if the managed fields of the object have one. */
export function podCIDRManager(node: unknown): string | undefined {
  const entries = fieldOf(fieldOf(node, 'metadata'), 'managedFields');
  if (!Array.isArray(entries)) return undefined;
  for (const entry of entries) {
    const spec = fieldOf(fieldOf(entry, 'fieldsV1'), 'f:spec');
    const manager = fieldOf(entry, 'manager');
    if (fieldOf(spec, 'f:podCIDRs') !== undefined && typeof manager === 'string') return manager;
  }
  return undefined;
}

function noteOf(node: NodeProjection, manager: string | undefined): string {
  const isTandem = manager === fieldManager;
  const who = manager === undefined ? 'Another program' : `"${manager}"`;
  const podCIDRs = node.podCIDRs.join(', ');
  const what = isTandem
    ? `Another Tandem gave this node its podCIDRs ${podCIDRs} while this one allocates.`
    : `${who} gave this node its podCIDRs ${podCIDRs} while Tandem allocates.`;
  const advice = isTandem
    ? 'Give all managers of the cluster the same Lease (--leader-elect-resource-name and -namespace).'
    : 'Let only one of them allocate.';
  return `${what} Two allocators can give one block to two nodes. ${advice}`;
}
