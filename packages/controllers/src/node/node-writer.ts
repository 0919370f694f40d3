/**
 * Does what was decided: each action is one guarded patch, in the order of the plan and each only after
 * the one before it was stored (P1). Where a guard fails, the node itself is read and decided about anew,
 * a few times at once. What comes of it is told as a value, so that no node is ever lost to an exception.
 */
import type { NodeAction } from '@tandem/core/node-init';
import { ApiError, type KubeClient } from '@tandem/kube/client';
import {
  addressPatch,
  applyPatch,
  type GuardedOutcome,
  type GuardedPatch,
  nodePatch,
  type PatchOutcome,
  retryGuarded,
} from '@tandem/kube/patch';
import type { Decision } from './decision.ts';
import { callLimitMs } from '../live-node/index.ts';

export interface NodeWriterOptions {
  readonly client: KubeClient;
  /** Reads the node and decides anew; nothing when it is gone. */
  readonly decideLive: (decision: Decision) => Promise<Decision | undefined>;
  /** Called right before a decision is carried out, and after each of its writes. */
  readonly onBegin: (decision: Decision) => void;
  readonly onWritten: (action: NodeAction, outcome: PatchOutcome['kind'] | 'unreached') => void;
}

export type WriteEnd =
  /** All of the plan is stored, or a later look found nothing to do. */
  | { readonly kind: 'done' }
  /** Somebody found fault with what was to be stored. */
  | { readonly kind: 'refused'; readonly action: NodeAction; readonly err: ApiError }
  /** Nobody found fault: this program may not write at all. */
  | { readonly kind: 'denied'; readonly err: ApiError }
  | { readonly kind: 'gone' }
  /** To be tried again: perhaps stored, never considered, or the node changed all the time. */
  | { readonly kind: 'failed'; readonly why: 'contended'; readonly err: ApiError }
  | { readonly kind: 'failed'; readonly why: 'inDoubt' | 'unreached'; readonly err: unknown };

export interface WriteReport {
  readonly end: WriteEnd;
  /** The last one. */
  readonly decision: Decision;
  /** What was stored, in order, and what the node was before. */
  readonly stored: readonly { readonly action: NodeAction; readonly before: Decision }[];
  /** The version that the last writes were planned on and those that came of them. */
  readonly versions: readonly string[];
  /** Whether something was stored under a version that nobody knows. */
  readonly isVersionLost: boolean;
}

export class NodeWriter {
  readonly #options: NodeWriterOptions;

  constructor(options: NodeWriterOptions) {
    this.#options = options;
  }

  async write(first: Decision): Promise<WriteReport> {
    const run = new Run(this.#options, first);
    return { end: await run.carryOut(), ...run.report };
  }
}

/** One node's way from a decision to its end. */
class Run {
  readonly #options: NodeWriterOptions;
  readonly #stored: { action: NodeAction; before: Decision }[] = [];
  #decision: Decision;
  #versions: string[] = [];
  #isVersionLost = false;
  #lastAction: NodeAction | undefined;

  constructor(options: NodeWriterOptions, first: Decision) {
    this.#options = options;
    this.#decision = first;
  }

  get report(): Omit<WriteReport, 'end'> {
    return {
      decision: this.#decision,
      stored: this.#stored,
      versions: this.#versions,
      isVersionLost: this.#isVersionLost,
    };
  }

  async carryOut(): Promise<WriteEnd> {
    try {
      const outcome = await retryGuarded<Decision, Decision>({
        seen: this.#decision,
        read: () => this.#options.decideLive(this.#decision),
        plan: (decision) => {
          this.#decision = decision;
          return decision.plan.actions.length === 0 ? undefined : decision;
        },
        apply: (decision) => this.#apply(decision),
      });
      return endOf(outcome, this.#lastAction);
    } catch (err) {
      return isUnauthorized(err)
        ? { kind: 'denied', err }
        : { kind: 'failed', why: 'unreached', err };
    }
  }

  async #apply(decision: Decision): Promise<PatchOutcome> {
    this.#options.onBegin(decision);
    this.#versions = [decision.node.resourceVersion];
    let outcome: PatchOutcome = { kind: 'applied', resourceVersion: undefined };
    for (const action of decision.plan.actions) {
      outcome = await this.#send(decision, action);
      if (outcome.kind !== 'applied') break;
      this.#stored.push({ action, before: decision });
      if (outcome.resourceVersion === undefined) this.#isVersionLost = true;
      else this.#versions.push(outcome.resourceVersion);
    }
    return outcome;
  }

  async #send(decision: Decision, action: NodeAction): Promise<PatchOutcome> {
    this.#lastAction = action;
    const { client, onWritten } = this.#options;
    const patch = patchFor(decision, action);
    // Whatever the plan wanted is there already.
    if (patch === undefined) return { kind: 'applied', resourceVersion: undefined };
    let outcome: PatchOutcome['kind'] | 'unreached' = 'unreached';
    try {
      const applied = await applyPatch(patch, { client, limitMs: callLimitMs });
      outcome = applied.kind;
      return applied;
    } finally {
      onWritten(action, outcome);
    }
  }
}

function patchFor({ node, facts }: Decision, action: NodeAction): GuardedPatch | undefined {
  const { name, uid, providerID, labels, addresses: present } = facts;
  const seen = { name, uid, providerID, labels, taints: node.taints };
  switch (action.kind) {
    case 'writeAddresses':
      return addressPatch({ name, uid, seen: present, addresses: action.addresses });
    case 'writeLabels':
      return nodePatch({ node: seen, labels: action.labels });
    case 'initialise': {
      const { addresses, labels: missing, taintsToRemove } = action;
      const wanted = { addresses, taintsToRemove, labels: missing };
      return nodePatch({ node: seen, ...wanted, providerID: action.providerID });
    }
  }
}

function endOf(outcome: GuardedOutcome, action: NodeAction | undefined): WriteEnd {
  switch (outcome.kind) {
    case 'applied':
    case 'nothingToDo':
      return { kind: 'done' };
    case 'gone':
      return { kind: 'gone' };
    case 'guardFailed':
      return { kind: 'failed', why: 'contended', err: outcome.err };
    case 'unknown':
      return { kind: 'failed', why: 'inDoubt', err: outcome.err };
    case 'refused':
    case 'denied': {
      const { err } = outcome;
      if (action === undefined || isMissingRight(err)) return { kind: 'denied', err };
      return { kind: 'refused', action, err };
    }
  }
}

function isUnauthorized(err: unknown): err is ApiError {
  return err instanceof ApiError && (err.status.code === 401 || isMissingRight(err));
}

/**
 * A webhook that objects and a role that lacks a verb both answer 403 with the same reason; only the
 * words differ. Those of the authorizer have been the same since Kubernetes 1.12. Should they change,
 * every node tells of its refused write, which is noisier and just as true.
 */
function isMissingRight({ status }: ApiError): boolean {
  return status.code === 403 && /\bcannot (?:get|patch) resource\b/.test(status.message);
}
