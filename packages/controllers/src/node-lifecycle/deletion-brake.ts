/**
 * The deletion brake: it counts absent nodes, recent deletions and all nodes, and reads from the
 * Lease whether a person has released it, but only while it would hold, and at most every ten
 * seconds.
 */
import {
  type BrakeVerdict,
  countsForBrake,
  exampleRelease,
  judgeBrake,
  memoryAnnotation,
  memoryText,
  readRelease,
  type Release,
  releaseAnnotation,
  saysAbsent,
} from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/node';
import { DeletionMemory } from './deletion-memory.ts';
import { LeaseNotes, type Notes } from './lease-notes.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import { isBeingDeleted } from './plan-for.ts';
import type { WatchedNode } from './lifecycle-state.ts';

export type BrakeOptions = Pick<
  NodeLifecycleControllerOptions,
  'client' | 'leaseClient' | 'nodes' | 'lookup' | 'settings' | 'lease' | 'clock' | 'logger' | 'mode'
>;

/** A release takes effect within this time and one pass. */
const releaseReadMs = 10_000;

export class DeletionBrake {
  readonly #options: BrakeOptions;
  readonly #notes: LeaseNotes;
  readonly #memory: DeletionMemory;
  #release: { readonly text: string | undefined; readonly readAtMs: number } | undefined;
  /** The last state of the annotation that was logged. */
  #told: { readonly kind: Release['kind']; readonly text: string | undefined } | undefined;
  /** Whether the failure to read the Lease was logged. */
  #hasFailed = false;
  #hasFailedToMake = false;

  constructor(options: BrakeOptions) {
    this.#options = options;
    const { client, leaseClient = client, lease } = options;
    this.#notes = new LeaseNotes({ reader: leaseClient, writer: client, lease });
    this.#memory = new DeletionMemory({ ...options, notes: this.#notes });
  }

  /**
   * Returns whether it can judge: without the record of earlier deletions it could allow as many
   * again.
   */
  async recall(signal: AbortSignal): Promise<boolean> {
    return this.#options.settings.brake === undefined || this.#memory.recall(signal);
  }

  judge(watched: Iterable<WatchedNode>): BrakeVerdict {
    const { clock, nodes, settings } = this.#options;
    const absent = new Set<string>();
    for (const { name, uid, evidence } of watched) {
      const node = nodes.get(name);
      if (node?.uid === uid && saysAbsent(evidence) && this.#counts(node)) absent.add(uid);
    }
    let owned = 0;
    const living: string[] = [];
    for (const node of nodes.list()) {
      living.push(node.uid);
      if (this.#counts(node)) owned++;
    }
    const deletions = this.#memory.recent(living);
    const nowMs = clock.monotonic();
    return judgeBrake({ absent, deletions, owned, nowMs, settings: settings.brake });
  }

  /** Records these deletions for the next leader. Returns whether the nodes may be deleted. */
  async remember(doomed: readonly WatchedNode[], signal: AbortSignal): Promise<boolean> {
    const { nodes, settings } = this.#options;
    if (settings.brake === undefined) return true;
    const counted = doomed.filter(({ name, uid }) => {
      const node = nodes.get(name);
      return node?.uid === uid && this.#counts(node);
    });
    return this.#memory.remember(
      counted.map(({ uid }) => uid),
      signal,
    );
  }

  /** Returns whether a person has released it. Reads the Lease unless it was read recently. */
  async isLifted(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const isOld =
      this.#release === undefined || clock.monotonic() - this.#release.readAtMs >= releaseReadMs;
    if (isOld) this.#release = { text: await this.#readText(signal), readAtMs: clock.monotonic() };
    const release = readRelease(this.#release?.text, clock.now());
    this.#tell(release, this.#release?.text);
    return release.kind === 'lifted';
  }

  /** Counts the deletion before the call: if the answer is lost, the node may be deleted. */
  deleting(node: NodeProjection): void {
    if (this.#counts(node)) this.#memory.deleting(node.uid);
  }

  notDeleted(uid: string): void {
    this.#memory.notDeleted(uid);
  }

  #counts(node: NodeProjection): boolean {
    const { lookup } = this.#options;
    const { providerID, taints } = node;
    const seen = { providerID, taints, isBeingDeleted: isBeingDeleted(node) };
    return countsForBrake(seen, {
      owns: () => lookup.owns(node),
      wasFound: lookup.hasFound(node),
      isNotOurs: lookup.isNotOurs(node),
    });
  }

  /** Returns the annotation. A Lease that cannot be read releases nothing. */
  async #readText(signal: AbortSignal): Promise<string | undefined> {
    const { lease, logger } = this.#options;
    const read = await this.#notes.read(signal);
    const hasFailed = read.kind === 'failed';
    if (hasFailed && !this.#hasFailed) {
      const facts = { err: read.err, lease: lease.name };
      logger.warn(facts, 'Could not read the release of the deletion brake');
    }
    this.#hasFailed = hasFailed;
    if (hasFailed) return undefined;
    await this.#ensureLease(read.notes, signal);
    return read.notes.annotation(releaseAnnotation);
  }

  /**
   * Creates the Lease if it is missing, as without an election, so that a person can annotate it.
   */
  async #ensureLease(notes: Notes, signal: AbortSignal): Promise<void> {
    const { lease, logger, mode } = this.#options;
    if (notes.exists || mode === 'dryRun') return;
    const note = { name: memoryAnnotation, text: memoryText([]) };
    const wrote = await this.#notes.write(notes, note, signal);
    const facts = { lease: `${lease.namespace}/${lease.name}` };
    if (wrote.kind === 'written')
      logger.info(facts, 'Created the Lease for releasing the deletion brake');
    if (wrote.kind !== 'failed' || this.#hasFailedToMake) return;
    this.#hasFailedToMake = true;
    const fix = 'Create the Lease with any spec, then annotate it';
    logger.warn(
      { ...facts, err: wrote.err, fix },
      'Could not create the Lease for releasing the deletion brake',
    );
  }

  /** Logs each value of the annotation once, and again when its time has passed. */
  #tell(release: Release, text: string | undefined): void {
    const { kind } = release;
    if (kind === this.#told?.kind && text === this.#told.text) return;
    this.#told = { kind, text };
    const { logger, lease, clock } = this.#options;
    const facts = { lease: lease.name, value: text };
    if (release.kind === 'lifted') logger.warn(facts, 'Deletion brake released by annotation');
    if (release.kind === 'expired') {
      const example = exampleRelease(clock.now());
      logger.warn({ ...facts, example }, 'Release of the deletion brake expired');
    }
    if (release.kind === 'malformed') {
      logger.warn(
        { ...facts, problem: release.problem },
        'Ignored malformed release of the deletion brake',
      );
    }
  }
}
