/**
 * The simulated kubelet of the embedded cluster, put to work on any API server over HTTPS. Here it
 * knows the words of KEP-3705 unless it is told otherwise, and its machine is not ready until its
 * first heartbeat; whatever the server refuses fails the test.
 */
import assert from 'node:assert/strict';
import {
  type KubeletFlags,
  type Registration,
  SimulatedKubelet as Kubelet,
} from '@tandem/devcluster/kubelet';
import type { KubeTransport } from '@tandem/kube/transport';
import { systemClock, systemIds } from '@tandem/runtime';

export class SimulatedKubelet {
  readonly #kubelet: Kubelet;
  /** How far its clock is ahead of others. */
  #aheadMs = 0;

  constructor(transport: KubeTransport, flags: KubeletFlags) {
    const clock = { ...systemClock, now: () => systemClock.now() + this.#aheadMs };
    this.#kubelet = new Kubelet(
      { transport, clock, ids: systemIds },
      { kind: 'kep', state: 'notReady', ...flags },
    );
  }

  get name(): string {
    return this.#kubelet.name;
  }

  /** Registers the node, and gives its UID. A node that is there is taken as it is. */
  async register(): Promise<string> {
    return uidOf(await this.#kubelet.register());
  }

  /** What is written every few seconds while the node is ready: each one a change of the node. */
  async heartbeat(): Promise<void> {
    this.#aheadMs += heartbeatMs;
    const { status, value } = await this.#kubelet.setReady('ready');
    assert.equal(status, 200, JSON.stringify(value));
  }

  /** Restarts with another `--node-ip`. */
  async restart({ nodeIP }: { readonly nodeIP: string | null }): Promise<void> {
    uidOf(await this.#kubelet.restart({ nodeIP }));
  }
}

/** As far apart as its clock says that two heartbeats are, however close they come. */
const heartbeatMs = 10_000;

function uidOf(registration: Registration): string {
  switch (registration.kind) {
    case 'created':
    case 'found':
      return registration.uid;
    case 'refused':
      return assert.fail(`kubelet does not start: ${registration.reason}`);
    case 'failed':
      return assert.fail(JSON.stringify(registration.reply));
    default:
      return registration satisfies never;
  }
}
