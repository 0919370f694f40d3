/**
 * What is done about one node: read, plan, write, report. It is called with a name, at any time, twice
 * or late, and goes by what is so now. A node is decided about only when the cache shows what was last
 * written to it (M4), and only ever by an answer about this very node (P2).
 */
import {
  type NodeAction,
  type NodePlan,
  type NodeSettings,
  planNode,
  writeRefused,
} from '@tandem/core/node-init';
import type { KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/codec';
import type { PatchOutcome } from '@tandem/kube/patch';
import type { Again, Work } from '@tandem/kube/queue';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { Clock, Logger } from '@tandem/runtime';
import type { AnswerBook } from './answer-book.ts';
import type { Decision } from './decision.ts';
import type { DryRun } from './dry-run.ts';
import { factsOf } from './facts.ts';
import { readLiveNode } from '../live-node/index.ts';
import type { NodeMetrics } from './metrics.ts';
import { NodeWriter, type WriteEnd, type WriteReport } from './node-writer.ts';
import { refusedNote } from './notes.ts';
import type { OwnWrites, Update } from './own-writes.ts';
import { paceOf } from './pace.ts';
import type { Permission } from './permission.ts';
import type { Polls } from './polls.ts';
import type { Reporter } from './reporter.ts';
import type { RequestTimes } from './request-times.ts';
import type { RetryDelays } from './retry-delays.ts';
import { type Claimed, findRivals } from './rivals.ts';

export interface ReconcilerParts extends Claimed {
  readonly client: KubeClient;
  readonly lookup: Pick<InstanceLookup, 'owns'>;
  readonly settings: NodeSettings;
  readonly answers: AnswerBook;
  readonly writes: OwnWrites;
  readonly requests: RequestTimes;
  readonly permission: Permission;
  readonly polls: Polls;
  readonly delays: RetryDelays;
  readonly reporter: Reporter;
  /** Set where nothing is to be written. */
  readonly dryRun: DryRun | undefined;
  readonly metrics: NodeMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with what others than the node may claim now. */
  readonly onFreed: (node: NodeProjection, providerIDs: readonly string[]) => void;
  /** Called for each change that was held while its node was written to. */
  readonly onHeld: (update: Update) => void;
}

/** A guard that fails time and again is no guard: somebody refuses without saying so. */
const contendedMax = 2;

export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #writer: NodeWriter;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#writer = new NodeWriter({
      client: parts.client,
      decideLive: ({ node }) => this.#decideLive(node),
      onBegin: (decision) => this.#beginWriting(decision),
      onWritten: (action, outcome) => this.#countWrite(action, outcome),
    });
  }

  async reconcile(name: string, work: Work): Promise<Again | undefined> {
    const { nodes, writes, claims } = this.#parts;
    const cached = nodes.get(name);
    if (cached === undefined) return undefined;
    const standing = writes.standingOf(cached);
    if (standing.kind === 'wait') return { afterMs: standing.afterMs };
    // Whatever was begun before has ended by now, and the node that is looked at shows how.
    const node = standing.kind === 'live' ? await this.#readLive(cached) : cached;
    if (node === undefined) return undefined;
    claims.endTaking(node.uid);
    return this.#act(this.#decide(node), work);
  }

  #decide(node: NodeProjection): Decision {
    const { answers, claims, lookup, requests, settings, logger } = this.#parts;
    const { uid, providerID } = node;
    const answer = answers.find(node);
    const found = answer?.kind === 'found' ? answer.instance.providerID : '';
    const facts = factsOf(node);
    const plan = planNode({
      node: facts,
      owns: (other) => lookup.owns({ name: node.name, uid, providerID: other }),
      rivals: findRivals(this.#parts, { uid, providerIDs: [providerID, found, claims.of(uid)] }),
      answer,
      requestChangedAtMs: requests.changedAtMs(uid),
      settings,
    });
    logger.debug({ node: node.name, plan }, 'Planned node');
    return { node, facts, plan };
  }

  async #readLive(cached: NodeProjection): Promise<NodeProjection | undefined> {
    const live = await readLiveNode(this.#parts.client, cached.name);
    // A namesake is another node, and has its own turn.
    if (live?.uid !== cached.uid) return undefined;
    this.#parts.writes.read(live);
    return live;
  }

  async #decideLive(node: NodeProjection): Promise<Decision | undefined> {
    const live = await this.#readLive(node);
    return live === undefined ? undefined : this.#decide(live);
  }

  async #act(decision: Decision, work: Work): Promise<Again | undefined> {
    const { dryRun, permission, reporter, writes, onHeld } = this.#parts;
    reporter.disagreed(decision);
    dryRun?.say(decision);
    if (dryRun !== undefined || decision.plan.actions.length === 0) return this.#conclude(decision);
    const waitMs = permission.waitMs(decision.node.name);
    if (waitMs > 0) return { afterMs: waitMs };
    const { uid } = decision.node;
    writes.begin(uid);
    const report = await this.#writer.write(decision);
    this.#remember(report);
    for (const update of writes.end(uid)) onHeld(update);
    return this.#finish(report, work);
  }

  /** Nobody else gets the instance from here on. */
  #beginWriting({ node, plan }: Decision): void {
    const isLast = plan.actions.some(({ kind }) => kind === 'initialise');
    if (isLast) this.#parts.claims.beginTaking(node.uid);
  }

  #countWrite(action: NodeAction, outcome: keyof typeof outcomeLabels): void {
    this.#parts.metrics.wrote(action.kind, outcomeLabels[outcome]);
  }

  #finish(report: WriteReport, work: Work): Again | undefined {
    const { reporter, permission } = this.#parts;
    const { end, decision, stored } = report;
    for (const { action, before } of stored) reporter.stored(action, before);
    const isHeard = end.kind !== 'denied' && !(end.kind === 'failed' && end.why === 'unreached');
    // A status that was stored says nothing about the rest.
    if (isHeard) permission.allowed();
    switch (end.kind) {
      case 'done':
        return this.#conclude(decision);
      case 'gone':
        return undefined;
      case 'refused':
        return this.#tellRefused(decision, end);
      case 'denied':
        return { afterMs: permission.denied(decision.node.name, end.err) };
      case 'failed':
        return this.#fail(decision, end, work);
    }
  }

  /** What the cache has to show before the next decision, and whether the instance is taken. */
  #remember({ end, decision, stored, versions, isVersionLost }: WriteReport): void {
    const { writes, claims, onFreed } = this.#parts;
    const { uid, providerID } = decision.node;
    const isInDoubt = end.kind === 'failed' && end.why === 'inDoubt';
    if (isInDoubt || isVersionLost) writes.inDoubt(uid);
    else writes.wrote(uid, versions);
    const isTaken = stored.some(({ action }) => action.kind === 'initialise');
    if (isInDoubt || isTaken || !claims.isTaking(uid)) return;
    claims.endTaking(uid);
    onFreed(decision.node, [providerID, claims.of(uid)]);
  }

  #tellRefused(decision: Decision, { action, err }: Pick<RefusedEnd, 'action' | 'err'>): Again {
    const { polls, reporter, delays } = this.#parts;
    const { node, facts } = decision;
    const { message, causes } = err.status;
    const isAboutLabels = action.kind === 'writeLabels';
    reporter.refused(node, writeRefused(facts, { action, message, causes }), { isAboutLabels });
    polls.set(node.name, 'slow');
    return { afterMs: delays.nextMs(node.uid) };
  }

  #fail(decision: Decision, end: FailedEnd, { failures }: Work): Again {
    const [action] = decision.plan.actions;
    const isRefusal = end.why === 'contended' && failures >= contendedMax && action !== undefined;
    if (isRefusal) return this.#tellRefused(decision, { action, err: end.err });
    throw end.err;
  }

  #conclude({ node, plan }: Decision): undefined {
    const { answers, clock, delays, polls, reporter, requests } = this.#parts;
    const { outcome } = plan;
    if (outcome.kind === 'lookup') {
      // An answer that was there is too old for this request.
      if (answers.find(node) !== null) answers.require(node, requests.changedAtMs(node.uid));
      answers.ask(node);
      return;
    }
    delays.forget(node.uid);
    polls.set(node.name, paceOf(outcome, { node, nowMs: clock.now() }));
    switch (outcome.kind) {
      case 'settled':
        answers.release(node.uid);
        reporter.settled(node);
        return;
      case 'paused':
        answers.release(node.uid);
        reporter.paused(node);
        return;
      case 'refused':
        // Clouds are late and calls fail: one such answer is not worth a warning, a second one is.
        if (answers.misses(node.uid) !== 1) reporter.refused(node, told(outcome.refusal, plan));
    }
  }
}

function told<T extends { readonly message: string }>(refusal: T, plan: NodePlan): T {
  return { ...refusal, message: refusedNote(refusal.message, plan) };
}

type RefusedEnd = WriteEnd & { readonly kind: 'refused' };
type FailedEnd = WriteEnd & { readonly kind: 'failed' };

const outcomeLabels: Readonly<Record<PatchOutcome['kind'] | 'unreached', string>> = {
  applied: 'applied',
  guardFailed: 'guard_failed',
  refused: 'refused',
  denied: 'denied',
  gone: 'gone',
  unknown: 'unknown',
  unreached: 'unreached',
};
