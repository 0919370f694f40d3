/**
 * Electors as processes: ours and upstream's. Both start in the same way and report events as lines of output, with
 * times by the wall clock of this machine.
 */
import { fileURLToPath } from 'node:url';
import type { ElectionTimings, LeaseName } from '@tandem/kube/election';
import { eventually } from '../../control-plane/index.ts';
import { collectJSON, CapturedProcess } from '../../support/process/index.ts';

/** The options of one of our leaders; see `leader-fixture/main.ts`. */
export interface LeaderOptions {
  readonly kubeconfig: string;
  readonly identity: string;
  readonly lease: LeaseName;
  readonly timings: ElectionTimings;
  readonly writesTo: WrittenByLeader;
  readonly work: 'ends when told' | 'never ends';
}

/** The target of a leader's writes. */
export type WrittenByLeader =
  | { readonly kind: 'configMap'; readonly namespace: string; readonly name: string }
  /** A slow cloud. Each request that changes something becomes a line of the record. */
  | { readonly kind: 'routes'; readonly record: string; readonly gate: 'election' | 'none' };

export interface UpstreamOptions extends Pick<
  LeaderOptions,
  'kubeconfig' | 'identity' | 'lease' | 'timings'
> {
  /** The built program. */
  readonly file: string;
  /** Upstream's managers never release the Lease; other users of client-go do. */
  readonly release: 'on exit' | 'never';
}

interface ElectionEvent {
  readonly event: 'leading' | 'stopped' | 'leader' | 'wrote' | 'refused' | 'failed' | 'ended';
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly identity?: string;
}

export function startOurs(options: LeaderOptions): ElectionProcess {
  const program = fileURLToPath(new URL('leader-fixture/main.ts', import.meta.url));
  return new ElectionProcess([process.execPath, program, JSON.stringify(options)]);
}

export function startUpstream({ file, lease, timings, ...who }: UpstreamOptions): ElectionProcess {
  return new ElectionProcess([
    file,
    `-kubeconfig=${who.kubeconfig}`,
    `-identity=${who.identity}`,
    `-namespace=${lease.namespace}`,
    `-name=${lease.name}`,
    `-lease-duration=${timings.leaseDurationMs}ms`,
    `-renew-deadline=${timings.renewDeadlineMs}ms`,
    `-retry-period=${timings.retryPeriodMs}ms`,
    `-release=${who.release === 'on exit'}`,
  ]);
}

/** A process that campaigns, and its events so far. */
export class ElectionProcess extends CapturedProcess {
  readonly events: ElectionEvent[] = [];

  constructor(command: readonly [string, ...string[]]) {
    super(command, { environment: {}, stdin: 'pipe' });
    collectJSON([this.child.stdout], this.events);
  }

  has(kind: ElectionEvent['event']): boolean {
    return this.events.some(({ event }) => event === kind);
  }

  /** Waits for the first event of this kind. */
  async first(
    kind: ElectionEvent['event'],
    { identity, withinMs = 30_000 }: { identity?: string; withinMs?: number } = {},
  ): Promise<ElectionEvent> {
    const isWanted = ({ event, identity: whose }: ElectionEvent): boolean =>
      event === kind && (identity === undefined || identity === whose);
    try {
      return await eventually(() => this.events.find(isWanted), { withinMs });
    } catch (err) {
      throw new Error(`No "${kind}" within ${withinMs} ms\n${this.stderr}`, { cause: err });
    }
  }
}
