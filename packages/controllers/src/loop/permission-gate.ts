/**
 * Whether the API server lets this program read and write nodes at all. Missing rights and bad credentials
 * are no node's fault: the log says so once, all nodes that need the right wait, one node at a time tries
 * whether it is over, and when it is, all go on. Each right is judged on its own: a role may allow one
 * write and not the other.
 */
import { ApiError } from '@tandem/kube/client';
import {
  type Backoff,
  backoffDelayMs,
  type CcmError,
  type Clock,
  type Logger,
  type Random,
} from '@tandem/runtime';
import type { NodeRecord, NodeRecords } from './node-record.ts';

const deniedBackoff: Backoff = { baseMs: 1_000, capMs: 30_000, jitter: 0.5 };
/** How long the others wait for the node that tries. */
const trialMs = 10_000;

export interface PermissionGateOptions<State> {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly records: NodeRecords<State>;
  readonly wake: (record: NodeRecord<State>) => void;
  /** For the metric. */
  readonly onTurned: (isAllowed: boolean) => void;
}

/** What a controller does to nodes, as roles have it. */
export type NodeRight = 'get nodes' | 'patch nodes' | 'patch nodes/status';

/** A right that the API server has denied. */
interface Denied {
  denials: number;
  closedUntilMs: number;
}

export class PermissionGate<State> {
  readonly #options: PermissionGateOptions<State>;
  readonly #random: Random;
  readonly #denied = new Map<NodeRight, Denied>();

  constructor(options: PermissionGateOptions<State>) {
    this.#options = options;
    this.#random = options.random.fork('permission');
  }

  /** 0 where the node may go on now with what needs these rights, else how long it waits. */
  waitMs(record: NodeRecord<State>, rights: Iterable<NodeRight>): number {
    const nowMs = this.#options.clock.monotonic();
    const needed = [...new Set(rights)].flatMap((right) => this.#denied.get(right) ?? []);
    const waitMs = Math.max(0, ...needed.map(({ closedUntilMs }) => closedUntilMs - nowMs));
    if (waitMs > 0) record.awaitsPermission = true;
    // This node tries, and the others wait for it.
    else for (const denied of needed) denied.closedUntilMs = nowMs + trialMs;
    return waitMs;
  }

  /** How long the node waits that was denied the right. */
  denied(record: NodeRecord<State>, right: NodeRight, err: CcmError): number {
    const { clock, logger, onTurned } = this.#options;
    const before = this.#denied.get(right);
    if (before === undefined) {
      const fix = 'Check the RBAC rules and the credentials of the manager';
      logger.error({ err, right, fix }, 'Missing permission to write to nodes');
      onTurned(false);
    }
    const denials = (before?.denials ?? 0) + 1;
    const waitMs = backoffDelayMs(deniedBackoff, denials, this.#random);
    this.#denied.set(right, { denials, closedUntilMs: clock.monotonic() + waitMs });
    record.awaitsPermission = true;
    return waitMs;
  }

  /** The API server has considered a call that needs the right. */
  allowed(right: NodeRight): void {
    if (!this.#denied.delete(right)) return;
    const { logger, records, wake, onTurned } = this.#options;
    const waiting = [...records.values()].filter(({ awaitsPermission }) => awaitsPermission);
    logger.info({ right, waiting: waiting.length }, 'Regained permission to write to nodes');
    if (this.#denied.size === 0) onTurned(true);
    for (const record of waiting) {
      record.awaitsPermission = false;
      wake(record);
    }
  }
}

/** The failure, where it means that this program may not read or write nodes at all. */
export function denialOf(err: unknown): ApiError | undefined {
  if (!(err instanceof ApiError)) return undefined;
  return isMissingRight(err) || err.status.code === 401 ? err : undefined;
}

/**
 * A webhook that objects and a role that lacks a verb both answer 403 with the same reason; only the
 * words differ. Those of the authorizer have been the same since Kubernetes 1.12. Should they change,
 * every node tells of its refused write, which is noisier and just as true.
 */
function isMissingRight({ status }: ApiError): boolean {
  return status.code === 403 && /\bcannot (?:get|patch) resource\b/.test(status.message);
}
