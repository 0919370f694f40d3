/**
 * One Lease on a real API server, the processes that campaign for it, and what the server's audit log has about them.
 * On disposal, processes that still run are killed.
 */
import assert from 'node:assert/strict';
import type { ElectionTimings } from '@tandem/kube/election';
import {
  type AuditEntry,
  type ControlPlane,
  request,
  requestOk,
} from '../../control-plane/index.ts';
import {
  type ElectionProcess,
  type LeaderOptions,
  startOurs,
  startUpstream,
  type UpstreamOptions,
  type WrittenByLeader,
} from './election-process.ts';

export class Election implements Disposable {
  readonly #controlPlane: ControlPlane;
  readonly #name: string;
  readonly #timings: ElectionTimings;
  readonly #processes: ElectionProcess[] = [];

  /** Creates a ConfigMap with the name of the Lease, which its leaders write to. */
  static async create(
    controlPlane: ControlPlane,
    name: string,
    timings: ElectionTimings,
  ): Promise<Election> {
    const path = '/api/v1/namespaces/default/configmaps';
    const body = { metadata: { name } };
    await requestOk(controlPlane.admin, { method: 'POST', path, body });
    return new Election(controlPlane, name, timings);
  }

  constructor(controlPlane: ControlPlane, name: string, timings: ElectionTimings) {
    this.#controlPlane = controlPlane;
    this.#name = name;
    this.#timings = timings;
  }

  startOurs(id: string, work: LeaderOptions['work'] = 'ends when told'): ElectionProcess {
    const writesTo = { kind: 'configMap', namespace: 'default', name: this.#name } as const;
    return this.#keep(startOurs({ ...this.#candidate(id), writesTo, work }));
  }

  /** Starts one of ours that changes routes while it leads and obeys nothing but its gate. */
  startRouting(
    id: string,
    options: Omit<WrittenByLeader & { readonly kind: 'routes' }, 'kind'>,
  ): ElectionProcess {
    const writesTo = { kind: 'routes', ...options } as const;
    return this.#keep(startOurs({ ...this.#candidate(id), writesTo, work: 'never ends' }));
  }

  startUpstream(id: string, options: Pick<UpstreamOptions, 'file' | 'release'>): ElectionProcess {
    return this.#keep(startUpstream({ ...this.#candidate(id), ...options }));
  }

  #keep(started: ElectionProcess): ElectionProcess {
    this.#processes.push(started);
    return started;
  }

  /** Kills the processes that still run, also paused ones. */
  [Symbol.dispose](): void {
    for (const each of this.#processes) each.signal('SIGKILL');
  }

  #candidate(id: string): Pick<LeaderOptions, 'kubeconfig' | 'identity' | 'lease' | 'timings'> {
    return {
      kubeconfig: this.#controlPlane.kubeconfig,
      identity: this.#identity(id),
      lease: { namespace: 'kube-system', name: this.#name },
      timings: this.#timings,
    };
  }

  #identity(id: string): string {
    return `${this.#name}-${id}`;
  }

  /** Waits until a standby has seen who leads. */
  async isSeen(standby: ElectionProcess, id: string): Promise<void> {
    await standby.first('leader', { identity: this.#identity(id) });
  }

  async holder(): Promise<{ holderIdentity: string; leaseTransitions: number }> {
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${this.#name}`;
    const answer = await request(this.#controlPlane.admin, { path });
    const { holderIdentity, leaseTransitions } = JSON.parse(answer.text).spec;
    return { holderIdentity, leaseTransitions };
  }

  /** When the API server received the write by which one of ours took the Lease. */
  async takenAtMs(id: string): Promise<number> {
    const [first] = await this.#received(id, 'leases');
    assert.ok(first !== undefined);
    return first;
  }

  /** When the API server received each write that one of ours made as a leader. */
  writesOf(id: string): Promise<number[]> {
    return this.#received(id, 'configmaps');
  }

  async #received(id: string, resource: 'leases' | 'configmaps'): Promise<number[]> {
    const isWanted = ({ objectRef, verb, userAgent, responseStatus }: AuditEntry): boolean =>
      objectRef?.resource === resource &&
      objectRef.name === this.#name &&
      (verb === 'update' || verb === 'patch') &&
      userAgent === this.#identity(id) &&
      responseStatus?.code === 200;
    const entries = await this.#controlPlane.audited();
    return entries
      .filter(isWanted)
      .map(({ requestReceivedTimestamp }) => Date.parse(requestReceivedTimestamp));
  }
}
