/**
 * One turn of one node: read, plan, apply, report. The loop may call it at any time, twice or late. It
 * decides on the turn's node, and ignores answers of the cloud about any other node (P2). The loop
 * drops the record together with the node, so a node that is deleted during a call leaves nothing
 * behind (M6).
 */
import { findRequest } from '@tandem/core/node-address';
import {
  isInitialised,
  type NodeFacts,
  type NodeOutcome,
  type NodePlan,
  type NodeSettings,
  planNode,
  type RouteRules,
} from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/node';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { Clock, Logger } from '@tandem/runtime';
import {
  isYoung,
  type Next,
  type PollPace,
  type QueuedLoop,
  type Turn,
  type Written,
} from '../loop/index.ts';
import type { Answers } from './answers.ts';
import type { Census } from './census.ts';
import type { Claims } from './claims.ts';
import type { NodeReports, Planned } from './node-reports.ts';
import type { Decision, CloudNodeRecord, NodeState } from './node-state.ts';
import { factsOf, plannedWrite } from './node-writes.ts';
import { noteRequest, requestOf } from './seen-request.ts';

export interface ReconcilerParts {
  readonly loop: QueuedLoop<NodeState>;
  readonly answers: Answers;
  readonly claims: Claims;
  readonly reports: NodeReports;
  readonly census: Census;
  readonly lookup: Pick<InstanceLookup, 'owns' | 'isNotOurs'>;
  readonly settings: NodeSettings;
  readonly managedRoutes: RouteRules | undefined;
  readonly mode: 'write' | 'dryRun';
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Reconciler {
  readonly #parts: ReconcilerParts;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  async reconcile(turn: Turn<NodeState>): Promise<Next> {
    const { node, record } = turn;
    const { clock, settings } = this.#parts;
    const hasPolicies = settings.policies.length > 0;
    // A live read may show a request that the cache does not show yet (P3).
    noteRequest(record.state, requestOf(node, { hasPolicies }), clock.monotonic());
    const facts = factsOf(node);
    const wasTaking = record.state.isTaking;
    const plan = this.#plan(record, facts);
    const planned = { record, node, facts, plan };
    const isFree = !record.state.isTaking && !plan.actions.some(isInitialisation);
    if (wasTaking && isFree) this.#wakeRivals(record);
    this.#parts.reports.disagreed(planned);
    this.#parts.reports.conflicted(planned);
    const written = await this.#apply(turn, planned);
    return record.isGone ? settled : this.#report(planned, written);
  }

  /** Reads the cache and the answers of the cloud, and decides. */
  #plan(record: CloudNodeRecord, node: NodeFacts): NodePlan {
    const { answers, claims, lookup, settings, managedRoutes: routes, logger } = this.#parts;
    // No write is in flight here, so the node shows the outcome of the last one. The cache may not show
    // it yet; decisions about rivals use this state.
    record.state.isTaking = isInitialised(node);
    const plan = planNode({
      node,
      owns: (providerID) => lookup.owns({ providerID }),
      rivals: claims.claimants(record),
      answer: answers.find(record, node),
      isNotOurs: lookup.isNotOurs(node),
      requestChangedAtMs: record.state.requestChangedAtMs,
      settings,
      routes,
    });
    logger.debug({ node: node.name, plan: { toJSON: () => withTexts(plan) } }, 'Planned node');
    return plan;
  }

  async #apply(turn: Turn<NodeState>, planned: Planned): Promise<Written> {
    const { clock, settings } = this.#parts;
    const atMs = clock.now();
    const written = await this.#write(turn, planned, { atMs });
    // Not before the writes: the record must not refer to a plan while many nodes wait for their writes.
    const actions = planned.plan.actions.slice(written.stored);
    planned.record.state.decision = decisionOf(planned, { ...settings, atMs, actions });
    return written;
  }

  async #write(
    turn: Turn<NodeState>,
    planned: Planned,
    { atMs }: { readonly atMs: number },
  ): Promise<Written> {
    const { loop, mode } = this.#parts;
    const { record, plan } = planned;
    const { actions } = plan;
    const { state } = record;
    if (actions.length === 0) return { kind: 'stored', stored: 0 };
    const takes = mode === 'write' && actions.some(isInitialisation);
    // From here on no other node gets the instance.
    if (takes) state.isTaking = true;
    const writes = actions.map((action) => plannedWrite(planned, action, { atMs }));
    const written = await loop.write(turn, writes);
    const isTaken = actions.slice(0, written.stored).some(isInitialisation);
    const isInDoubt = written.kind === 'ended' && written.isInDoubt;
    if (takes && !isTaken && !isInDoubt) {
      state.isTaking = false;
      this.#wakeRivals(record);
    }
    return written;
  }

  /** Another node may get the instance now. */
  #wakeRivals(record: CloudNodeRecord): void {
    const { loop, claims } = this.#parts;
    for (const rival of claims.rivals(record)) loop.wake(rival);
  }

  #report(planned: Planned, written: Written): Next {
    const { loop, reports, census } = this.#parts;
    const { record, plan } = planned;
    for (const action of plan.actions.slice(0, written.stored)) {
      reports.stored(planned, action);
      if (isInitialisation(action)) census.soon();
    }
    if (written.kind === 'ended') return written.next;
    if (written.kind !== 'refused') return this.#conclude(planned);
    const action = plan.actions.find(({ kind }) => kind === written.write.action);
    if (action === undefined) throw new Error('this should never happen: a write without action');
    const { message, causes } = written.err.status;
    reports.writeRefused(planned, { action, message, causes });
    return loop.afterRefusal(record);
  }

  /** All planned writes are stored: report, ask, and schedule the next look. */
  #conclude(planned: Planned): Next {
    const { loop, answers, reports, clock } = this.#parts;
    const { record, node, plan } = planned;
    const { outcome } = plan;
    if (outcome.kind === 'lookup') return this.#lookUp(record, node);
    if (plan.actions.length === 0) loop.noWrites(record);
    loop.poll(record, paceOf(outcome, { node, nowMs: clock.now() }));
    switch (outcome.kind) {
      case 'settled':
        answers.release(record);
        reports.settled(planned);
        return settled;
      case 'paused':
        answers.release(record);
        reports.paused(planned);
        return settled;
      case 'notOurs':
        reports.notOurs(planned);
        return settled;
      case 'refused': {
        const { refusal } = outcome;
        // One late or failed answer is normal, so only the second in a row causes a warning.
        const isFirstMiss = isMiss(refusal) && answers.misses(record) === 1;
        if (!isFirstMiss) reports.refused(planned, refusal);
        return refusal.code === 'InstanceLookupFailed' ? this.#retry(record) : settled;
      }
    }
  }

  /** The answer wakes the node. */
  #lookUp(record: CloudNodeRecord, node: NodeProjection): Next {
    const { answers } = this.#parts;
    const { requestChangedAtMs } = record.state;
    // The known answer is older than the request of the node.
    if (answers.find(record, node) !== null) answers.require(record, node, requestChangedAtMs);
    answers.ask(record, node);
    return settled;
  }

  /** A required answer is retried sooner than the poll. */
  #retry(record: CloudNodeRecord): Next {
    const afterMs = this.#parts.answers.retryInMs(record);
    return afterMs === undefined ? settled : { kind: 'again', afterMs };
  }
}

const settled: Next = { kind: 'settled' };

/** The plan as the log shows it. */
function withTexts({ explanation, ...plan }: NodePlan): object {
  return {
    ...plan,
    actions: plan.actions.map((action) => ({ ...action, reason: action.reason() })),
    explanation: explanation && { ...explanation, steps: explanation.steps() },
  };
}

/** A plan without an explanation did not read the request, so it is read here. */
function decisionOf(
  { facts, plan }: Planned,
  given: Pick<NodeSettings, 'policies'> & Pick<Decision, 'atMs' | 'actions'>,
): Decision {
  const { policies, atMs, actions } = given;
  const { outcome, explanation, stack } = plan;
  const request = explanation === null ? findRequest(facts, policies) : explanation.request;
  return { atMs, actions, outcome, request, stack };
}

function isInitialisation({ kind }: { readonly kind: string }): boolean {
  return kind === 'initialise';
}

/** How often a node that has a problem is looked up again. */
function paceOf(
  outcome: NodeOutcome,
  {
    node,
    nowMs,
  }: {
    readonly node: Pick<NodeFacts, 'taints' | 'creationTimestampSeconds'>;
    readonly nowMs: number;
  },
): PollPace | undefined {
  if (outcome.kind === 'notOurs') return 'slow';
  if (outcome.kind !== 'refused') return undefined;
  const mayAppear = isMiss(outcome.refusal) && !isInitialised(node) && isYoung(node, nowMs);
  return mayAppear ? 'fast' : 'slow';
}

/** Whether the cloud's answer had no instance. Other refusals do not rest on it. */
function isMiss({ code }: { readonly code: string }): boolean {
  return code === 'InstanceNotFound' || code === 'InstanceLookupFailed';
}
