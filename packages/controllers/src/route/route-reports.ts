/**
 * Reports what the node-route-controller does: an event on every node that lacks a route, for as long as it lacks one
 * (P6), a log line for every change in the cloud, and one warning for each problem of a table.
 */
import type { NodeRoutes, PlannedOperation, RouteFinding, TableFinding } from '@tandem/core/routes';
import type { NodeProjection } from '@tandem/kube/node';
import { CcmError, type Clock, type Logger } from '@tandem/runtime';
import type { Reports } from '../loop/index.ts';
import { routeEvent } from './events.ts';
import { failureIdentity, failureWords, type RouteNodeRecord, sentenceOf } from './route-state.ts';

export interface RouteReportsOptions {
  readonly reports: Reports;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** The last reported reason why the tables could not be listed. */
interface ListFailure {
  readonly code: string;
  readonly message: string;
  readonly saidAtMs: number;
}

/**
 * How long another message with the same error code is not reported: messages may contain ids and times, which change
 * with every list.
 */
const rewordMs = 60_000;

export class RouteReports {
  readonly #options: RouteReportsOptions;
  readonly #told = new Map<string, string>();
  #listFailure: ListFailure | undefined;

  constructor(options: RouteReportsOptions) {
    this.#options = options;
  }

  changed({ operation, destination, node, reason }: PlannedOperation): void {
    const { kind, table } = operation;
    const facts = { table, destination, node: node?.name, reason };
    this.#options.logger.info(facts, changedWords[kind]);
  }

  failed({ operation, destination, node, reason }: PlannedOperation, err: CcmError): void {
    const { kind, table } = operation;
    const facts = { kind, table, destination, node: node?.name, reason, err };
    this.#options.logger.warn(facts, 'Could not change a route, retrying');
  }

  wouldChange({ operation, destination, node, reason }: PlannedOperation): void {
    const { kind, table } = operation;
    const key = JSON.stringify([kind, table, destination, node?.uid]);
    if (this.#told.has(key)) return;
    this.#told.set(key, reason);
    const facts = { kind, table, destination, node: node?.name, reason };
    this.#options.logger.info(facts, 'Would change a route');
  }

  /** Reports what prevents the node's routes, or ends the report if nothing does. */
  judged(record: RouteNodeRecord, node: NodeProjection, routes: NodeRoutes): void {
    const { reports, logger } = this.#options;
    const { verdict, findings } = routes;
    if (verdict.kind === 'available') record.state.failures = new Map();
    const failure = verdict.kind === 'unavailable' ? failureWords(record.state.failures) : '';
    const obstacles = findings.map(({ message }) => message);
    // A node that has its routes also gets an event if it shares addresses of its pod CIDRs with another node.
    if (failure === '' && obstacles.length === 0) {
      if (reports.end(record) !== undefined && verdict.kind === 'available') {
        logger.info({ node: node.name }, 'Node has all of its routes again');
      }
      return;
    }
    const message = [...obstacles, ...(failure === '' ? [] : [failure])].join(' ');
    const failed = failure === '' ? '' : failureIdentity(record.state.failures);
    const identity = JSON.stringify([...findings.map(identityOf), failed]);
    const isNews = this.#stand(record, node, { message, identity });
    const problem =
      verdict.kind === 'available' ? 'Routes of a node are in question' : 'Node lacks a route';
    if (isNews) logger.warn({ node: node.name, reason: message }, problem);
  }

  /** Reports that the node waits for its first routes because the tables cannot be listed. */
  waitsForList(record: RouteNodeRecord, node: NodeProjection): void {
    if (this.#listFailure === undefined) return;
    const message = sentenceOf(
      `No route could be created, because the route tables cannot be listed: ${this.#listFailure.message}`,
    );
    this.#stand(record, node, { message, identity: message });
  }

  /** Starts the report, and returns whether it is new. */
  #stand(
    record: RouteNodeRecord,
    node: NodeProjection,
    { message, identity }: { readonly message: string; readonly identity: string },
  ): boolean {
    const reason = 'FailedToCreateRoute';
    const event = routeEvent(node, reason, message);
    const { reports } = this.#options;
    return reports.start(record, { reason, message, isRefusal: true, identity }, event);
  }

  /** Logs every problem of a table when it begins and when it is over. */
  tables(findings: readonly TableFinding[]): void {
    const { logger } = this.#options;
    const now = new Map(findings.map(({ code, table, message }) => [`${code} ${table}`, message]));
    for (const [key, message] of now) {
      if (this.#told.get(key) !== message)
        logger.warn({ reason: message }, 'Problem with a route table');
    }
    for (const key of tableKeys(this.#told)) {
      if (now.has(key)) continue;
      logger.info({ problem: key }, 'Problem with a route table is over');
      this.#told.delete(key);
    }
    for (const [key, message] of now) this.#told.set(key, message);
  }

  listed(): void {
    if (this.#listFailure === undefined) return;
    this.#listFailure = undefined;
    this.#options.logger.info({}, 'Listed routes again');
  }

  notListed(err: CcmError): void {
    const { code, message } = reasonOf(err);
    const saidAtMs = this.#options.clock.monotonic();
    const last = this.#listFailure;
    if (last?.message === message) return;
    if (last?.code === code && saidAtMs - last.saidAtMs < rewordMs) return;
    this.#listFailure = { code, message, saidAtMs };
    this.#options.logger.warn({ err }, 'Could not list routes, retrying');
  }
}

/** While the cloud asks to wait, nothing is sent. What the cloud refused before says why. */
function reasonOf(err: CcmError): CcmError {
  return err.code === 'RouteCallsThrottled' && err.cause instanceof CcmError ? err.cause : err;
}

const changedWords = {
  create: 'Created route',
  replace: 'Replaced route',
  delete: 'Deleted route',
} as const;

/**
 * Returns the part of a finding that stays the same while the problem lasts. The message of a failed look-up comes from
 * the cloud and may differ each time, so its code identifies it.
 */
function identityOf({ code, message }: RouteFinding): string {
  return isWordedByCloud(code) ? code : message;
}

function isWordedByCloud(code: RouteFinding['code']): boolean {
  return code === 'InstanceLookupFailed' || code === 'RouteTargetUnknown';
}

/** Returns the keys of table problems. The keys of dry-run changes are JSON arrays and begin with a bracket. */
function tableKeys(told: ReadonlyMap<string, string>): string[] {
  return [...told.keys()].filter((key) => !key.startsWith('['));
}
