/**
 * Finds out which other program assigns pod CIDRs. A second allocator is at work if podCIDRs appear that this process
 * did not write. The node's managed fields name that allocator, but the cache does not keep them, so this file reads
 * the node. It reads at most one node a minute: an allocator that serves one node serves them all.
 *
 * Another Tandem has the same field manager, and so has a previous leader with the same Lease, whose last write may
 * arrive late. Only time tells the two apart, so Tandem warns about another Tandem only after a previous leader's
 * writes must have ended: a false warning would be worse than none.
 */
import { fieldManager, type KubeClient } from '@tandem/kube/client';
import { type NodeProjection, nodeResource } from '@tandem/kube/node';
import { type Clock, fieldOf, type Logger } from '@tandem/runtime';
import { callLimitMs, type Reports } from '../loop/index.ts';
import { ipamEvent } from './events.ts';
import type { IpamNode } from './ipam-state.ts';
import type { IpamMetrics } from './metrics.ts';

const tellEveryMs = 60_000;

/**
 * No write of a previous leader is stored later than this after the controller began. The API server and etcd take at
 * most 41 s to store a write that the API server accepted, even if the server-side time-out of our writes did not take
 * effect (decision 14).
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

  /** Records that this process allocates from now on. */
  begin(): void {
    this.#begunMs = this.#options.clock.monotonic();
  }

  /** Counts a node that has podCIDRs which this process did not write, and warns at most once a minute. */
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
    // The write came from a previous leader, or from the next one if this process was paused and lost the Lease.
    if (manager === fieldManager && (mayBePredecessor || signal.aborted)) return;
    const facts = { node: node.name, podCIDRs: node.podCIDRs.join(','), manager, nodes };
    logger.warn(facts, 'Another program assigns pod CIDRs');
    reports.record(record, ipamEvent(node, 'ForeignAllocator', noteOf(node, manager)));
  }

  /** Reads the field manager of the node's podCIDRs; undefined if the managed fields name none or the read fails. */
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

/** Returns the field manager that set `spec.podCIDRs`, or undefined if the object's managed fields name none. */
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
