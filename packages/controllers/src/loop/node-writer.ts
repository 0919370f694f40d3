/**
 * The writes of all controllers: guarded patches of one node, in their order, each only after the one
 * before it was stored (P1). It stops at the first that fails. Where the outcome is not known, the patch
 * reads the node back; what the cache has to show before the next decision is noted in the record (M4).
 * A missing permission stops the writes of all nodes, a refused write delays those of one. What came of it
 * is a value, so that no node is lost to an exception. In a dry run nothing is sent.
 */
import type { ApiError, KubeClient } from '@tandem/kube/client';
import type { NodeProjection, StoredBefore } from '@tandem/kube/node';
import { applyPatch, type GuardedPatch, type PatchOutcome } from '@tandem/kube/patch';
import {
  type Backoff,
  backoffDelayMs,
  CcmError,
  type Clock,
  type Logger,
  type Random,
} from '@tandem/runtime';
import { callLimitMs } from './live-node.ts';
import type { NodeRecord } from './node-record.ts';
import type { OwnWrites } from './own-writes.ts';
import { denialOf, type NodeRight, type PermissionGate } from './permission-gate.ts';

/** One reconcile of one node: what it decides on, and how often it was tried. */
export interface Turn<State> {
  readonly node: NodeProjection;
  readonly record: NodeRecord<State>;
  /** 1 for the first; a failed guard leads to another one on the live node. */
  readonly attempt: number;
  /** How often in a row reconciles of the node have failed before. */
  readonly failures: number;
}

/** A patch that is guarded by what the writes before it led to; there is none where that is not what was planned. */
export interface PatchAtVersion extends Pick<GuardedPatch, 'resource'> {
  readonly at: (before: StoredBefore) => GuardedPatch | undefined;
}

export interface PlannedWrite {
  /** What it does, in a word: a label of metrics. */
  readonly action: string;
  readonly reason: string;
  /** Undefined where the node is all that already. */
  readonly patch: GuardedPatch | PatchAtVersion | undefined;
  /** What a dry run says of it beside action and reason. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What comes after a reconcile. */
export type Next =
  /** Nothing, until something happens to the node. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'again'; readonly afterMs: number }
  /** The node is not what was decided on: the same once more on the live node. */
  | { readonly kind: 'changed'; readonly err: CcmError }
  /** To be tried again after a back-off. */
  | { readonly kind: 'failed'; readonly err: unknown };

export type Written = {
  /** How many of the writes are stored, from the first on. */
  readonly stored: number;
} & (
  | { readonly kind: 'stored' | 'dryRun' }
  /** The API server found fault with what was to be stored. */
  | { readonly kind: 'refused'; readonly write: PlannedWrite; readonly err: ApiError }
  /**
   * The reconcile ends here. `isInDoubt`: the write after the stored ones may be stored, too, also where a
   * guard failed, because it may have failed on our own write.
   */
  | { readonly kind: 'ended'; readonly next: Next; readonly isInDoubt: boolean }
);

export interface WriteMetrics {
  wrote(action: string, outcome: string): void;
  wouldWrite(action: string): void;
  /** Whether the API server lets this program write to nodes. */
  allowed(isAllowed: boolean): void;
}

export interface NodeWriterOptions<State> {
  readonly client: KubeClient;
  readonly mode: 'write' | 'dryRun';
  readonly gate: PermissionGate<State>;
  readonly ownWrites: OwnWrites;
  readonly metrics: WriteMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Takes in what the cache told while the node was written to. */
  readonly releaseHeld: (record: NodeRecord<State>) => void;
}

/** Attempts of one turn, the first included: after a failed guard the controller plans again on the live node. */
export const attemptsMax = 5;

/** A guard that fails time and again is no guard: something refuses without saying so. */
const contendedReconcilesMax = 2;

/** How long a node waits whose write was refused. */
const refusedBackoff: Backoff = { baseMs: 1_000, capMs: 60_000, jitter: 0.5 };

export class NodeWriter<State> {
  readonly #options: NodeWriterOptions<State>;
  readonly #random: Random;

  constructor(options: NodeWriterOptions<State>) {
    this.#options = options;
    this.#random = options.random.fork('retry-delays');
  }

  async write(turn: Turn<State>, writes: readonly PlannedWrite[]): Promise<Written> {
    const { gate, mode, ownWrites, releaseHeld } = this.#options;
    const { record } = turn;
    if (mode === 'dryRun') return this.#tell(record, writes);
    const waitMs = gate.waitMs(record, writes.map(rightFor));
    if (waitMs > 0) return ended(0, { kind: 'again', afterMs: waitMs });
    record.heldChanges = [];
    const sent = await this.#send(turn, writes);
    // A guard that fails may have been overtaken by our own write, whose first answer was lost.
    const isOvertaken = sent.failure?.outcome.kind === 'guardFailed';
    if (sent.isInDoubt || sent.isVersionLost || isOvertaken) ownWrites.noteInDoubt(record);
    else ownWrites.noteStored(record, sent.versions);
    releaseHeld(record);
    return this.#judge(turn, writes, sent);
  }

  /** How long the node waits before a refused write is tried again. The event of the node tells why. */
  afterRefusal(record: NodeRecord<State>): Next {
    record.refusedWrites++;
    const afterMs = backoffDelayMs(refusedBackoff, record.refusedWrites, this.#random);
    return { kind: 'again', afterMs };
  }

  async #send({ node }: Turn<State>, writes: readonly PlannedWrite[]): Promise<Sent> {
    const sent: Sent = {
      stored: 0,
      versions: [node.resourceVersion],
      isVersionLost: false,
      object: undefined,
      isInDoubt: false,
      failure: undefined,
    };
    for (const [index, write] of writes.entries()) {
      const wantsObject = isAtVersion(writes[index + 1]?.patch);
      const outcome = await this.#sendOne(write, { before: sent, wantsObject });
      if (outcome.kind !== 'applied') {
        return { ...sent, isInDoubt: outcome.kind === 'unknown', failure: { write, outcome } };
      }
      sent.stored++;
      sent.object = outcome.object;
      if (outcome.resourceVersion === undefined) sent.isVersionLost = true;
      else sent.versions.push(outcome.resourceVersion);
    }
    return sent;
  }

  async #sendOne(
    { action, patch }: PlannedWrite,
    { before, wantsObject }: { readonly before: Sent; readonly wantsObject: boolean },
  ): Promise<SendOutcome> {
    const { client, metrics } = this.#options;
    if (patch === undefined) return { kind: 'applied', resourceVersion: undefined };
    const version = before.isVersionLost ? undefined : before.versions.at(-1);
    if (isAtVersion(patch) && version === undefined) return { kind: 'versionLost' };
    const stored = { resourceVersion: version ?? '', object: before.object };
    const guarded = isAtVersion(patch) ? patch.at(stored) : patch;
    if (guarded === undefined) return { kind: 'overtaken' };
    let outcome: SendOutcome;
    try {
      outcome = await applyPatch(guarded, { client, limitMs: callLimitMs, wantsObject });
    } catch (err) {
      outcome = { kind: 'unreached', err };
    }
    metrics.wrote(action, outcomeLabels[outcome.kind]);
    return outcome;
  }

  #judge(turn: Turn<State>, writes: readonly PlannedWrite[], sent: Sent): Written {
    const { gate } = this.#options;
    const { stored, failure } = sent;
    for (const write of writes.slice(0, stored)) gate.allowed(rightFor(write));
    if (failure === undefined) {
      turn.record.refusedWrites = 0;
      return { kind: 'stored', stored };
    }
    const { write, outcome } = failure;
    const denial = 'err' in outcome ? denialOf(outcome.err) : undefined;
    if (denial !== undefined) {
      const afterMs = gate.denied(turn.record, rightFor(write), denial);
      return ended(stored, { kind: 'again', afterMs });
    }
    // The API server has considered the write, which says that this program may make it.
    const wasSent = outcome.kind !== 'versionLost' && outcome.kind !== 'overtaken';
    if (outcome.kind !== 'unreached' && wasSent) gate.allowed(rightFor(write));
    switch (outcome.kind) {
      case 'refused':
      case 'denied':
        return { kind: 'refused', stored, write, err: outcome.err };
      case 'gone':
        return ended(stored, { kind: 'settled' });
      case 'guardFailed':
        return contended(turn, { stored, write: writes[0] ?? write, err: outcome.err });
      case 'unknown':
        return { kind: 'ended', stored, next: failed(outcome.err), isInDoubt: true };
      case 'unreached':
        return ended(stored, failed(outcome.err));
      case 'versionLost':
        return ended(stored, { kind: 'changed', err: versionLost() });
      case 'overtaken':
        return ended(stored, { kind: 'changed', err: overtaken() });
      case 'applied':
        throw new Error('this should never happen: a write that was stored has failed');
    }
  }

  /** Once for each change of what would be written. */
  #tell(record: NodeRecord<State>, writes: readonly PlannedWrite[]): Written {
    const { logger, metrics } = this.#options;
    const said = JSON.stringify(writes.map(({ action, reason, facts }) => [action, reason, facts]));
    if (said === record.dryRunText) return { kind: 'dryRun', stored: 0 };
    record.dryRunText = said;
    for (const { action, reason, facts } of writes) {
      metrics.wouldWrite(action);
      logger.info({ node: record.name, action, reason, ...facts }, 'Would write to node');
    }
    return { kind: 'dryRun', stored: 0 };
  }
}

/** A failure that says nothing about the patch: the API server was not reached, or was too busy. */
interface Unreached {
  readonly kind: 'unreached';
  readonly err: unknown;
}

/** The write before was stored, and its answer did not tell the version that this one depends on. */
interface VersionLost {
  readonly kind: 'versionLost';
}

/** The write before was stored, and the node turned out to be another one than was planned for. */
interface Overtaken {
  readonly kind: 'overtaken';
}

type SendOutcome = PatchOutcome | Unreached | VersionLost | Overtaken;

interface Sent {
  stored: number;
  /** The version that was decided on, and each that the writes led to. */
  readonly versions: string[];
  /** Whether something was stored under a version that the answer did not tell. */
  isVersionLost: boolean;
  /** What the last write led to, where the next one depends on it. */
  object: unknown;
  readonly isInDoubt: boolean;
  readonly failure: { readonly write: PlannedWrite; readonly outcome: SendOutcome } | undefined;
}

function rightFor({ patch }: PlannedWrite): NodeRight {
  return patch?.resource.subresource === 'status' ? 'patch nodes/status' : 'patch nodes';
}

function ended(stored: number, next: Next): Written {
  return { kind: 'ended', stored, next, isInDoubt: false };
}

function versionLost(): CcmError {
  const facts = { code: 'VersionLost', retry: 'backoff', effect: 'none' } as const;
  return new CcmError('An answer of the API server lacked a resourceVersion', facts);
}

function overtaken(): CcmError {
  const facts = { code: 'NodeChanged', retry: 'backoff', effect: 'none' } as const;
  return new CcmError('The node changed while it was written to', facts);
}

function isAtVersion(patch: PlannedWrite['patch']): patch is PatchAtVersion {
  return patch !== undefined && 'at' in patch;
}

function failed(err: unknown): Next {
  return { kind: 'failed', err };
}

function contended(
  { attempt, failures }: Turn<unknown>,
  refusal: { readonly stored: number; readonly write: PlannedWrite; readonly err: ApiError },
): Written {
  const { stored, err } = refusal;
  const isLast = attempt >= attemptsMax;
  if (isLast && failures >= contendedReconcilesMax) return { kind: 'refused', ...refusal };
  return { kind: 'ended', stored, next: { kind: 'changed', err }, isInDoubt: true };
}

const outcomeLabels: Readonly<Record<SendOutcome['kind'], string>> = {
  applied: 'applied',
  guardFailed: 'guard_failed',
  refused: 'refused',
  denied: 'denied',
  gone: 'gone',
  unknown: 'unknown',
  unreached: 'unreached',
  versionLost: 'version_lost',
  overtaken: 'overtaken',
};
