/**
 * The rules of pod CIDRs (I1 to I4, I8, I9), held against every write. What a manager gave must be right in itself
 * and must not overlap what a manager gave before. What something else gave counts as well, where it was stored
 * before the manager that wrote began to lead: that manager has listed every node since then. Later
 * assignments of another allocator are excused, because no program can foresee them.
 */
import type { TransportRequest } from '@tandem/kube/transport';
import type { AllocationPlan, PlannedPool } from '../plan/index.ts';
import { blockLengths, poolLabel } from '../plan/index.ts';
import { contains, doOverlap, type NaiveCidr, naiveCidr, sizeOf } from './naive-cidr.ts';
import { podCIDRsOf, type StoredNode } from './stored-node.ts';
import type { Accuse } from './violation.ts';

/** A write that stored pod CIDRs. */
export interface Assignment {
  readonly before: StoredNode | undefined;
  readonly after: StoredNode;
  /** The version of the store that it led to. */
  readonly version: number;
  /** The version at which the manager that wrote began to lead; undefined where it was no manager. */
  readonly ledSince: number | undefined;
}

/** What a live node has. */
interface Held {
  readonly name: string;
  readonly cidrs: readonly NaiveCidr[];
  readonly isManagers: boolean;
  readonly version: number;
}

/** An event that says that a pool has no block for a node. */
interface Exhaustion {
  /** When it was found out; the event may be stored much later. */
  readonly eventTime: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string; readonly uid: string };
}

/** No process begins to allocate a second time within this time: it lost its Lease before. */
const sameTermMs = 12_000;

export class PodCIDRLaw {
  readonly #plan: AllocationPlan;
  readonly #accuse: Accuse;
  readonly #serviceRanges: readonly NaiveCidr[];
  readonly #held = new Map<string, Held>();
  /** Which range each process last said to be exhausted of each node, and when. */
  readonly #told = new Map<string, { readonly range: string; readonly atMs: number }>();

  constructor(plan: AllocationPlan, accuse: Accuse) {
    this.#plan = plan;
    this.#accuse = accuse;
    this.#serviceRanges = plan.serviceRanges.map(naiveCidr);
  }

  assigned({ before, after, version, ledSince }: Assignment): void {
    const { name, uid } = after.metadata;
    const had = before === undefined ? [] : podCIDRsOf(before);
    const texts = podCIDRsOf(after);
    if (had.length > 0) this.#accuse('I3', `${name} had ${had.join()} and got ${texts.join()}`);
    const cidrs = texts.map(naiveCidr);
    if (ledSince !== undefined) {
      this.#lookAtShape(after, cidrs);
      this.#lookAtOthers({ name, uid, cidrs }, ledSince);
    }
    this.#held.set(uid, { name, cidrs, isManagers: ledSince !== undefined, version });
  }

  gone(uid: string): void {
    this.#held.delete(uid);
  }

  /** Pod CIDRs are written to this very Node, and only while it has none (I3). */
  sent({ path, body }: Pick<TransportRequest, 'path' | 'body'>): void {
    const text = String(body);
    if (!text.includes('"/spec/podCIDRs"')) return;
    const operations: readonly { op: string; path: string }[] = JSON.parse(text);
    const tested = operations.flatMap((one) => (one.op === 'test' ? [one.path] : []));
    if (tested.includes('/metadata/uid') && tested.includes('/spec/podCIDRs')) return;
    this.#accuse('I3', `PATCH ${path} without guards: ${text}`);
  }

  /** That a range is exhausted is said once (I9). */
  toldOfExhaustion({ eventTime, message, involvedObject }: Exhaustion, by: string): void {
    const atMs = Date.parse(eventTime);
    const [, range = ''] = /no free \/\d+ in (\S+),/.exec(message) ?? [];
    const key = `${by} ${involvedObject.uid}`;
    const last = this.#told.get(key);
    this.#told.set(key, { range, atMs });
    // The ranges of a pool may run out in turns.
    if (last?.range !== range) return;
    // Two events may be stored in the other order.
    const sinceMs = Math.abs(atMs - last.atMs);
    if (sinceMs >= sameTermMs) return;
    this.#accuse('I9', `${involvedObject.name} was told again after ${sinceMs} ms: ${message}`);
  }

  #lookAtShape(node: StoredNode, cidrs: readonly NaiveCidr[]): void {
    const { name } = node.metadata;
    const texts = podCIDRsOf(node);
    const said = `${name} got ${texts.join()}`;
    const { ranges } = poolOf(this.#plan, node);
    if (cidrs.length !== ranges.length) {
      return this.#accuse('I4', `${said}, and its pool has ${ranges.length} families`);
    }
    if (node.spec.podCIDR !== texts[0]) this.#accuse('I2', `${said} beside ${node.spec.podCIDR}`);
    for (const [index, cidr] of cidrs.entries()) {
      const range = ranges[index];
      if (range === undefined || !isBlockOf(naiveCidr(range.cidr), cidr)) {
        this.#accuse('I2', `${said}, which is no block of ${range?.cidr}`);
      }
      if (this.#serviceRanges.some((service) => doOverlap(service, cidr))) {
        this.#accuse('I2', `${said} of a service range`);
      }
    }
  }

  #lookAtOthers(
    { name, uid, cidrs }: Pick<Held, 'name' | 'cidrs'> & { readonly uid: string },
    ledSince: number,
  ): void {
    for (const [other, held] of this.#held) {
      const isShared = held.cidrs.some((theirs) => cidrs.some((ours) => doOverlap(ours, theirs)));
      if (!isShared || other === uid) continue;
      const message = `${name} got a block that ${held.name} has`;
      if (held.isManagers) this.#accuse('I1', message);
      else if (held.version <= ledSince)
        this.#accuse('I8', `${message} from before the manager led`);
    }
  }
}

/** The pool that the node gets its blocks from. */
export function poolOf({ pools }: AllocationPlan, { metadata }: StoredNode): PlannedPool {
  const isLabelled = metadata.labels?.[poolLabel.key] === poolLabel.value;
  const pool = isLabelled ? pools[0] : pools.at(-1);
  if (pool === undefined) throw new Error('a plan without pools allocates nothing');
  return pool;
}

/** Aligned, of the right size, and inside. */
function isBlockOf(range: NaiveCidr, cidr: NaiveCidr): boolean {
  const bits = cidr.family === 'IPv4' ? 32 : 128;
  const blockSize = 2n ** BigInt(bits - blockLengths[cidr.family]);
  const isAligned = (cidr.first - range.first) % blockSize === 0n;
  return contains(range, cidr) && isAligned && sizeOf(cidr) === blockSize;
}
