/**
 * Reports what the node-ipam-controller does for nodes and which problems they have, in events, log lines and metrics.
 * The event of a lasting problem is renewed until the problem ends (P6). A node can have several problems at once, each
 * with its own event.
 */
import type { PodCIDROutcome, PodCIDRPlan } from '@tandem/core/allocation';
import { enumerate } from '@tandem/core/node-address';
import type { ApiError } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/node';
import type { Logger } from '@tandem/runtime';
import type { Reports } from '../loop/index.ts';
import { ipamEvent, type IpamEventReason } from './events.ts';
import type { IpamNode } from './ipam-state.ts';
import type { IpamMetrics } from './metrics.ts';

type NotAvailable = Extract<PodCIDROutcome, { kind: 'notAvailable' }>;

export interface IpamReportsOptions {
  readonly reports: Reports;
  readonly mode: 'write' | 'dryRun';
  readonly metrics: IpamMetrics;
  readonly logger: Logger;
}

export class IpamReports {
  readonly #options: IpamReportsOptions;
  /** The number of nodes with a problem, by code, for the metric. */
  readonly #problems = new Map<string, number>();

  constructor(options: IpamReportsOptions) {
    this.#options = options;
  }

  assigned(node: NodeProjection, podCIDRs: readonly string[], reason: string): void {
    const facts = { node: node.name, podCIDRs: podCIDRs.join(','), reason };
    this.#options.logger.info(facts, 'Assigned pod CIDRs');
  }

  /** Starts one series of events for each cause, and changes nothing while the same cause lasts. */
  notAvailable(
    record: IpamNode,
    node: NodeProjection,
    { message, cause }: Pick<NotAvailable, 'message' | 'cause'>,
  ): void {
    this.#refuse(record, node, { code: 'CIDRNotAvailable', message, cause });
  }

  /** Ends the active report of a node that still waits: one of its problems says why it gets no podCIDRs. */
  heldBack(record: IpamNode): void {
    this.#options.reports.end(record);
  }

  writeRefused(record: IpamNode, node: NodeProjection, err: ApiError): void {
    const { message } = err.status;
    const note = `The API server refused to store the podCIDRs of this node: ${message}`;
    this.#refuse(record, node, { code: 'CIDRAssignmentFailed', message: note });
  }

  /**
   * Ends the active report of the node, which has these podCIDRs or needs none. If there was a report, the log says
   * that the node no longer waits. Outside a dry run, a node with podCIDRs also gets an event.
   */
  settled(record: IpamNode, node: NodeProjection, podCIDRs: readonly string[]): void {
    const { reports, logger, mode } = this.#options;
    const ended = reports.end(record);
    if (ended === undefined) return;
    const { reason: was } = ended;
    logger.info({ node: node.name, was }, 'Node no longer waits for pod CIDRs');
    if (podCIDRs.length === 0 || mode === 'dryRun') return;
    const note = `The node has its podCIDRs ${enumerate(podCIDRs)} now, after ${was}.`;
    reports.record(record, ipamEvent(node, 'CIDRAssigned', note));
  }

  /**
   * Compares the node's problems with those of the last turn: reports new ones and ends the events of those that are
   * over. Problems that only the cloud can decide stay until it answers (P3).
   */
  problems(record: IpamNode, node: NodeProjection, { findings, outcome }: PodCIDRPlan): void {
    const before = record.state.problems;
    const undecided = outcome.kind === 'lookup' ? outcome.undecided : [];
    const kept = [...before].filter(([code]) => undecided.some((one) => one === code));
    const found = findings.map(({ code, message }) => [code, message] as const);
    const now = new Map<string, string>([...kept, ...found]);
    record.state.problems = now;
    const { reports, logger, mode } = this.#options;
    for (const code of before.keys()) {
      if (now.has(code)) continue;
      this.#count(code, -1);
      reports.endBeside(record, code);
      logger.info({ node: node.name, code }, 'Problem with pod CIDRs is over');
    }
    for (const { code, message } of findings) {
      if (!before.has(code)) this.#count(code, 1);
      if (before.get(code) === message) continue;
      const event = ipamEvent(node, code, message);
      // This problem lasts as long as the node and does no harm, so its event is not renewed.
      if (code === 'PodCIDRFamilyOrder') reports.announce(record, event, code);
      else reports.startBeside(record, event, code);
      const said = mode === 'dryRun' ? 'Would report pod CIDRs' : 'Found a problem with pod CIDRs';
      logger.warn({ node: node.name, code, reason: message }, said);
    }
  }

  /** Removes the problems of a deleted node from the metric. */
  gone(record: IpamNode): void {
    for (const code of record.state.problems.keys()) this.#count(code, -1);
  }

  #refuse(
    record: IpamNode,
    node: NodeProjection,
    { code, message, cause = message }: Refusal,
  ): void {
    const { reports, mode, logger } = this.#options;
    const report = { reason: code, message, isRefusal: true, identity: `${code} ${cause}` };
    if (!reports.start(record, report, ipamEvent(node, code, message))) return;
    const said = mode === 'dryRun' ? 'Would assign no pod CIDRs' : 'Could not assign pod CIDRs';
    logger.warn({ node: node.name, code, reason: message }, said);
  }

  #count(code: string, by: number): void {
    const nodes = (this.#problems.get(code) ?? 0) + by;
    this.#problems.set(code, nodes);
    this.#options.metrics.problems(code, nodes);
  }
}

interface Refusal {
  readonly code: IpamEventReason;
  readonly message: string;
  readonly cause?: string | undefined;
}
