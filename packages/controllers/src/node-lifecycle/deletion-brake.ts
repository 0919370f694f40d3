/**
 * The brake at work: it remembers what was deleted lately, counts who is absent out of how many, and
 * asks the Lease whether a person has lifted it – but only while it would hold, and not too often. What
 * it remembers is lost with the process; the nodes that are absent by then count anew.
 */
import {
  type BrakeVerdict,
  countsForBrake,
  isRecent,
  judgeBrake,
  readRelease,
  type Release,
  releaseAnnotation,
  saysAbsent,
} from '@tandem/core/lifecycle';
import { ApiError } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/codec';
import { isBeingDeleted } from './lifecycle-node.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import type { WatchedNode } from './watched-node.ts';

export type BrakeOptions = Pick<
  NodeLifecycleControllerOptions,
  'client' | 'leaseClient' | 'nodes' | 'lookup' | 'settings' | 'lease' | 'clock' | 'logger'
>;

/** A person who lifts the brake sees it act within this and a pass. */
const releaseReadMs = 10_000;
const releaseLimitMs = 5_000;

export class DeletionBrake {
  readonly #options: BrakeOptions;
  readonly #deletions = new Map<string, number>();
  #release: { readonly text: string | undefined; readonly readAtMs: number } | undefined;
  #toldText: string | undefined;
  /** Whether the log has told that the Lease cannot be read. */
  #hasFailed = false;

  constructor(options: BrakeOptions) {
    this.#options = options;
  }

  judge(watched: Iterable<WatchedNode>): BrakeVerdict {
    const { clock, nodes, settings } = this.#options;
    const nowMs = clock.monotonic();
    this.#forgetOld(nowMs);
    const absent = new Set<string>();
    for (const { name, uid, evidence } of watched) {
      const node = nodes.get(name);
      if (node?.uid === uid && saysAbsent(evidence) && this.#counts(node)) absent.add(uid);
    }
    let owned = 0;
    for (const node of nodes.list()) if (this.#counts(node)) owned++;
    const deletions = [...this.#deletions].map(([uid, atMs]) => ({ uid, atMs }));
    return judgeBrake({ absent, deletions, owned, nowMs, settings: settings.brake });
  }

  /** Whether a person has lifted it. Reads the Lease unless it has just done so. */
  async isLifted(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const isOld =
      this.#release === undefined || clock.monotonic() - this.#release.readAtMs >= releaseReadMs;
    if (isOld) this.#release = { text: await this.#readText(signal), readAtMs: clock.monotonic() };
    const release = readRelease(this.#release?.text, clock.now());
    this.#tell(release, this.#release?.text);
    return release.kind === 'lifted';
  }

  /** Counts from before the call on: one whose answer is lost may have been deleted. */
  deleting(node: NodeProjection): void {
    if (this.#counts(node)) this.#deletions.set(node.uid, this.#options.clock.monotonic());
  }

  notDeleted(uid: string): void {
    this.#deletions.delete(uid);
  }

  #counts(node: NodeProjection): boolean {
    const { lookup } = this.#options;
    const { providerID, taints } = node;
    const seen = { providerID, taints, isBeingDeleted: isBeingDeleted(node) };
    return countsForBrake(seen, () => lookup.owns(node));
  }

  #forgetOld(nowMs: number): void {
    for (const [uid, atMs] of this.#deletions) {
      if (!isRecent(nowMs - atMs, this.#options.settings.brake)) this.#deletions.delete(uid);
    }
  }

  /** What cannot be read lifts nothing. */
  async #readText(signal: AbortSignal): Promise<string | undefined> {
    const { lease, logger } = this.#options;
    const client = this.#options.leaseClient ?? this.#options.client;
    const resource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', ...lease };
    try {
      const answer = await client.call({ verb: 'get', resource, limitMs: releaseLimitMs, signal });
      this.#hasFailed = false;
      return annotationOf(JSON.parse(new TextDecoder().decode(answer.body)));
    } catch (err) {
      if (signal.aborted) throw err;
      const isMissing = err instanceof ApiError && err.status.code === 404;
      if (!isMissing && !this.#hasFailed) {
        logger.warn({ err, lease: lease.name }, 'Could not read if the deletion brake is lifted');
      }
      this.#hasFailed = !isMissing;
      return undefined;
    }
  }

  /** Once for each value. */
  #tell(release: Release, text: string | undefined): void {
    if (text === this.#toldText) return;
    this.#toldText = text;
    const { logger, lease } = this.#options;
    const facts = { lease: lease.name, value: text };
    if (release.kind === 'lifted') logger.warn(facts, 'A person lifted the deletion brake');
    if (release.kind === 'malformed') {
      logger.warn({ ...facts, problem: release.problem }, 'Ignored a lift of the deletion brake');
    }
  }
}

function annotationOf(lease: unknown): string | undefined {
  const value = fieldOf(fieldOf(fieldOf(lease, 'metadata'), 'annotations'), releaseAnnotation);
  return typeof value === 'string' ? value : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
