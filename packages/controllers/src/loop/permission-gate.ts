/**
 * Whether the API server lets this program read and write nodes at all. Missing permissions and bad
 * credentials are not the fault of a node: the log reports them once, all nodes that need the permission
 * wait, one node at a time tries again, and after a success all continue. Each permission is judged
 * separately: a role may allow one write and not another.
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
/** How long the other nodes wait for the node that tries. */
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

/** The calls of a controller, in the terms of roles. */
export type NodeRight = 'get nodes' | 'patch nodes' | 'patch nodes/status';

/** A permission that the API server has denied. */
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

  /** 0 if the node may continue with these permissions, else how long it waits. */
  waitMs(record: NodeRecord<State>, rights: Iterable<NodeRight>): number {
    const nowMs = this.#options.clock.monotonic();
    const needed = [...new Set(rights)].flatMap((right) => this.#denied.get(right) ?? []);
    const waitMs = Math.max(0, ...needed.map(({ closedUntilMs }) => closedUntilMs - nowMs));
    if (waitMs > 0) record.awaitsPermission = true;
    // This node tries, and the others wait for it.
    else for (const denied of needed) denied.closedUntilMs = nowMs + trialMs;
    return waitMs;
  }

  /** Notes a denial and returns how long the node waits. */
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

  /** The API server considered a call that needs the permission. */
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

/** The error if it means that this program may not read or write nodes at all. */
export function denialOf(err: unknown): ApiError | undefined {
  if (!(err instanceof ApiError)) return undefined;
  return isMissingRight(err) || err.status.code === 401 ? err : undefined;
}

/**
 * A webhook that objects and a role that lacks a verb both answer 403 with the same reason; only the
 * messages differ. The authorizer's message has been the same since Kubernetes 1.12. If it changes, every
 * node reports its refused write, which is noisier and still true.
 */
function isMissingRight({ status }: ApiError): boolean {
  return status.code === 403 && /\bcannot (?:get|patch) resource\b/.test(status.message);
}
