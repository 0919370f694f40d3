/**
 * The simulated kubelet of the embedded cluster, for any API server over HTTPS. By default it implements KEP-3705, and
 * its node is not Ready before its first heartbeat. A refusal of the server fails the test.
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
  /** How far its clock is ahead. */
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

  /** Registers the node or finds an existing one, and returns its UID. */
  async register(): Promise<string> {
    return uidOf(await this.#kubelet.register());
  }

  /** Reports that the node is Ready, with a new time, so that each heartbeat changes the node. */
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

/** The time between two heartbeats by its clock, however close they are. */
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
