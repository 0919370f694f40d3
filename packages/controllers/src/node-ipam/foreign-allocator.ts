/**
 * Finds out who else hands out pod CIDRs. That podCIDRs appear which this process did not write says that a
 * second allocator is at work; who it is, the node's managed fields say, which no cache keeps. One node is
 * read for a minute's worth of findings: an allocator that serves one node serves them all.
 */
import { fieldManagerDefault, type KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/codec';
import type { Clock, Logger } from '@tandem/runtime';
import { callLimitMs, nodeResource, type Reports } from '../loop/index.ts';
import { ipamEvent } from './ipam-reports.ts';
import type { IpamNode } from './ipam-state.ts';
import type { IpamMetrics } from './metrics.ts';

const tellEveryMs = 60_000;

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

  constructor(options: ForeignAllocatorOptions) {
    this.#options = options;
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
    // The last write of a manager that led before.
    if (manager === fieldManagerDefault) return;
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
  const entries = memberOf(memberOf(node, 'metadata'), 'managedFields');
  if (!Array.isArray(entries)) return undefined;
  for (const entry of entries) {
    const spec = memberOf(memberOf(entry, 'fieldsV1'), 'f:spec');
    const manager = memberOf(entry, 'manager');
    if (memberOf(spec, 'f:podCIDRs') !== undefined && typeof manager === 'string') return manager;
  }
  return undefined;
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(key);
}

function noteOf(node: NodeProjection, manager: string | undefined): string {
  const who = manager === undefined ? 'Another program' : `"${manager}"`;
  return `${who} gave this node its podCIDRs ${node.podCIDRs.join(', ')} while Tandem allocates. Two allocators can give one block to two nodes. Let only one of them allocate.`;
}
