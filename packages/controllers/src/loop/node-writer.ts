/**
 * The writes of all controllers: guarded patches of one node in order, each only after the previous one
 * was stored (P1). It stops at the first failure. If an outcome is unknown, the patch reads the node
 * back; the record notes what the cache must show before the next decision (M4). A missing permission
 * stops the writes of all nodes, a refused write delays those of one. The result is a value, so that no
 * node is lost to an exception. A dry run sends nothing.
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
import { callLimitMs } from './node-calls.ts';
import type { NodeRecord } from './node-record.ts';
import type { OwnWrites } from './own-writes.ts';
import { denialOf, type NodeRight, type PermissionGate } from './permission-gate.ts';

/** One reconcile of one node: the node that it decides on, and the number of tries. */
export interface Turn<State> {
  readonly node: NodeProjection;
  readonly record: NodeRecord<State>;
  /** 1 for the first. A failed guard leads to another one on the live node. */
  readonly attempt: number;
  /** Consecutive failed reconciles of the node before this one. */
  readonly failures: number;
}

/**
 * A patch that is guarded by the result of the previous writes; undefined if that differs from the plan.
 */
export interface PatchAtVersion extends Pick<GuardedPatch, 'resource'> {
  readonly at: (before: StoredBefore) => GuardedPatch | undefined;
}

export interface PlannedWrite {
  /** What it does: a metric label. */
  readonly action: string;
  /** Undefined if the node needs no change. */
  readonly patch: GuardedPatch | PatchAtVersion | undefined;
  /** Makes the reason and the facts for the log of a dry run. */
  readonly describe: () => { readonly reason: string; readonly [fact: string]: unknown };
}

/** What comes after a reconcile. */
export type Next =
  /** Nothing, until the node changes. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'again'; readonly afterMs: number }
  /** The node has changed: reconcile again on the live node. */
  | { readonly kind: 'changed'; readonly err: CcmError }
  /** Retry after a back-off. */
  | { readonly kind: 'failed'; readonly err: unknown };

export type Written = {
  /** The number of stored writes, from the first on. */
  readonly stored: number;
} & (
  | { readonly kind: 'stored' | 'dryRun' }
  /** The API server refused the write. */
  | { readonly kind: 'refused'; readonly write: PlannedWrite; readonly err: ApiError }
  /**
   * The reconcile ends here. `isInDoubt`: the write after the stored ones may be stored, too, even if a
   * guard failed, because our own write may have caused that.
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
  /** Takes in the changes that arrived during the write. */
  readonly releaseHeld: (record: NodeRecord<State>) => void;
}

/** Attempts of one turn, the first included: after a failed guard the controller plans again on the live node. */
export const attemptsMax = 5;

/** A guard that keeps failing is not a race: something refuses without saying so. */
const contendedReconcilesMax = 2;

/** The delay after a refused write. */
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
    // Our own write, whose first answer was lost, may have made the guard fail.
    const isOvertaken = sent.failure?.outcome.kind === 'guardFailed';
    if (sent.isInDoubt || sent.isVersionLost || isOvertaken) ownWrites.noteInDoubt(record);
    else ownWrites.noteStored(record, sent.versions);
    releaseHeld(record);
    return this.#judge(turn, writes, sent);
  }

  /** The delay before a refused write is retried. The event of the node says why. */
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
    // The API server considered the write, so this program has the permission.
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

  /** Logs the planned writes once for each change. */
  #tell(record: NodeRecord<State>, writes: readonly PlannedWrite[]): Written {
    const { logger, metrics } = this.#options;
    const planned = writes.map(({ action, describe }) => ({ action, ...describe() }));
    const said = JSON.stringify(planned);
    if (said === record.dryRunText) return { kind: 'dryRun', stored: 0 };
    record.dryRunText = said;
    for (const write of planned) {
      metrics.wouldWrite(write.action);
      logger.info({ node: record.name, ...write }, 'Would write to node');
    }
    return { kind: 'dryRun', stored: 0 };
  }
}

/** The API server was unreachable or too busy. This says nothing about the patch. */
interface Unreached {
  readonly kind: 'unreached';
  readonly err: unknown;
}

/** The previous write was stored, and its answer lacked the version that this one needs. */
interface VersionLost {
  readonly kind: 'versionLost';
}

/** The previous write was stored, and the node differs from the plan. */
interface Overtaken {
  readonly kind: 'overtaken';
}

type SendOutcome = PatchOutcome | Unreached | VersionLost | Overtaken;

interface Sent {
  stored: number;
  /** The version of the decision, and the version of each write. */
  readonly versions: string[];
  /** Whether a write was stored with an unknown version. */
  isVersionLost: boolean;
  /** The result of the last write, if the next one depends on it. */
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
