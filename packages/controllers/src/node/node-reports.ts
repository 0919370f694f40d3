/**
 * The reports of the cloud-node-controller: an event, a log line and a metric for each change of a node.
 * The loop's reports renew active events (P6).
 */
import {
  losesToExclusion,
  type Refusal,
  requestsDifferReason,
  type SourcedRequest,
} from '@tandem/core/node-address';
import {
  isInitialised,
  type NodeAction,
  type NodeFacts,
  type NodePlan,
  type NodeRefusal,
  type NodeRefusalCode,
  pausedAnnotation,
  type RefusedWrite,
  refusedWriteIdentity,
  writeRefused,
} from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/node';
import { type NewEvent, nodeReference } from '@tandem/kube/events';
import type { Clock, Logger } from '@tandem/runtime';
import { nodeEventsOf, type Reports } from '../loop/index.ts';
import { notOursReason } from './count-states.ts';
import { controllerName, nodeEvents, refusalActions } from './events.ts';
import type { NodeMetrics } from './metrics.ts';
import type { CloudNodeRecord } from './node-state.ts';
import { addressesChangedNote, listOf, pausedNote, refusedNote, syncedNote } from './event-text.ts';

export interface NodeReportsOptions {
  readonly reports: Reports;
  readonly mode: 'write' | 'dryRun';
  readonly metrics: NodeMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** One node and what was planned for it. */
export interface Planned {
  readonly record: CloudNodeRecord;
  readonly node: NodeProjection;
  /** The same node as the planner sees it. */
  readonly facts: NodeFacts;
  readonly plan: NodePlan;
}

export class NodeReports {
  readonly #options: NodeReportsOptions;

  constructor(options: NodeReportsOptions) {
    this.#options = options;
  }

  /** The plan refuses the node or its request. */
  refused(planned: Planned, refusal: Refusal | NodeRefusal): void {
    const message = refusedNote(refusal.message, planned.plan);
    this.#refuse(planned, { ...refusal, message }, refusalActions.initialised);
  }

  /** The API server or a webhook refuses to store a planned write. */
  writeRefused(planned: Planned, refused: RefusedWrite): void {
    const isAboutLabels = refused.action.kind === 'writeLabels';
    const tried = refusalActions[isAboutLabels ? 'labels' : 'initialised'];
    const identity = refusedWriteIdentity(refused);
    this.#refuse(planned, { ...writeRefused(planned.facts, refused), identity }, tried);
  }

  paused({ record, node }: Planned): void {
    const message = pausedNote(node.annotations[pausedAnnotation] ?? '');
    const report = { reason: pausedReason, message, isRefusal: false };
    const isNews = this.#options.reports.startUnrenewed(
      record,
      report,
      eventOf(node, 'Paused', message),
    );
    if (!isNews) return;
    const { mode, logger } = this.#options;
    const said = mode === 'dryRun' ? 'Would skip paused node' : 'Skipped paused node';
    logger.info({ node: node.name }, said);
  }

  /** No event: this is a normal state. */
  notOurs({ record, node }: Planned): void {
    const message = 'The cloud says that the node is not its own.';
    const report = { reason: notOursReason, message, isRefusal: false };
    if (!this.#options.reports.startSilently(record, report)) return;
    this.#options.logger.debug({ node: node.name }, 'Left alone a node that is not ours');
  }

  settled({ record, node }: Planned): void {
    const { reports, logger } = this.#options;
    const ended = reports.end(record);
    if (ended === undefined) return;
    const { reason: was, isRefusal } = ended;
    if (isRefusal) logger.info({ node: node.name, was }, 'Node is no longer refused');
    else if (was === pausedReason) logger.info({ node: node.name }, 'Node is no longer paused');
    else logger.info({ node: node.name }, 'Node belongs to this cloud again');
  }

  /** Two sources request different addresses: reported once per change. */
  disagreed({ record, node, plan }: Planned): void {
    const { reports, logger } = this.#options;
    const { state } = record;
    if (plan.disagreement === null) {
      // A plan without a verdict about addresses has not compared the sources.
      if (plan.explanation === null || state.disagreement === undefined) return;
      state.disagreement = undefined;
      return reports.announce(record, undefined, requestsDifferReason);
    }
    if (state.disagreement === plan.disagreement) return;
    state.disagreement = plan.disagreement;
    logger.warn({ node: node.name, reason: plan.disagreement }, 'Node IP requests disagree');
    const event = eventOf(node, requestsDifferReason, plan.disagreement);
    reports.announce(record, event, requestsDifferReason);
  }

  /**
   * Another Node is initialised as the same instance: reported while that lasts, beside the active
   * report.
   */
  conflicted({ record, node, plan }: Planned): void {
    const { reports, logger } = this.#options;
    const { state } = record;
    const { conflict } = plan;
    if (state.conflict === conflict) return;
    state.conflict = conflict;
    if (conflict === null) return reports.endBeside(record, conflictCode);
    logger.warn({ node: node.name, reason: conflict }, 'Two nodes are initialised as one instance');
    const event = {
      ...aboutNode(node),
      type: 'Warning',
      action: refusalActions.initialised,
      reason: conflictCode,
      note: conflict,
    } as const;
    reports.startBeside(record, event, conflictCode);
  }

  /** One of the planned actions is stored. */
  stored(planned: Planned, action: NodeAction): void {
    switch (action.kind) {
      case 'initialise':
        return this.#initialised(planned, action);
      case 'writeAddresses':
        if (isInitialised(planned.node)) this.#addressesChanged(planned, action);
        return;
      case 'writeNetworkCondition':
        this.#options.logger.info(
          { node: planned.node.name, reason: action.reason() },
          'Marked node as without a network',
        );
        return;
      case 'writeLabels':
        this.#options.logger.info(
          { node: planned.node.name, labels: action.labels, reason: action.reason() },
          'Wrote node labels',
        );
    }
  }

  #refuse(
    { record, node }: Planned,
    refusal: { readonly code: string; readonly message: string; readonly identity?: string },
    tried: string,
  ): void {
    const { code, message, ...identity } = refusal;
    const { reports, mode, metrics, logger } = this.#options;
    const isOther = record.report?.reason !== code;
    const action = isInitialised(node) ? tried : refusalActions.uninitialised;
    const event = {
      ...aboutNode(node),
      type: 'Warning',
      action,
      reason: code,
      note: message,
    } as const;
    if (!reports.start(record, { reason: code, message, isRefusal: true, ...identity }, event))
      return;
    if (isOther) metrics.refused(code);
    const said = mode === 'dryRun' ? 'Would refuse node' : 'Refused node';
    logger.warn({ node: node.name, code, reason: message }, said);
  }

  #initialised(
    { record, node, plan }: Planned,
    action: NodeAction & { readonly kind: 'initialise' },
  ): void {
    const { reports, clock, metrics, logger } = this.#options;
    const ageSeconds = Math.max(0, clock.now() / 1_000 - node.creationTimestampSeconds);
    metrics.initialised(ageSeconds);
    metrics.synced(ageSeconds);
    const { providerID } = action;
    const addresses = listOf(action.addresses);
    logger.info(
      { node: node.name, providerID, addresses, stack: plan.stack, request: requestIn(plan) },
      'Initialised node',
    );
    reports.record(record, eventOf(node, 'Synced', syncedNote(plan)));
  }

  #addressesChanged(
    { record, node, plan }: Planned,
    action: NodeAction & { readonly kind: 'writeAddresses' },
  ): void {
    const { reports, metrics, logger } = this.#options;
    metrics.addressesChanged();
    const [from, to] = [node.addresses, action.addresses];
    const isLoss = losesToExclusion(from, plan.explanation?.excluded ?? []);
    const change = { from: listOf(from), to: listOf(to) };
    logger[isLoss ? 'warn' : 'info'](
      { node: node.name, ...change, request: requestIn(plan), reason: action.reason() },
      'Changed node addresses',
    );
    const event = eventOf(node, 'AddressesChanged', addressesChangedNote(plan, { from, to }));
    reports.record(record, { ...event, type: isLoss ? 'Warning' : 'Normal' });
  }
}

const pausedReason = 'paused';
const conflictCode: NodeRefusalCode = 'ProviderIDConflict';

const eventOf = nodeEventsOf(controllerName, nodeEvents);

/** The request that the addresses follow, or null if they follow the cloud's list. */
function requestIn({ explanation }: NodePlan): SourcedRequest | null {
  return explanation?.request ?? null;
}

function aboutNode(node: NodeProjection): Pick<NewEvent, 'regarding' | 'reportingController'> {
  return { regarding: nodeReference(node), reportingController: controllerName };
}
