/**
 * A kubelet 1.36 with `--cloud-provider=external`, as far as the API server sees it: it registers its
 * node with the taint, its annotation and what it knows of its addresses, reports that it is ready, and
 * after a restart brings its annotation up to date and leaves everything else as it is. It never sets
 * the taint on a node that is there, and never touches addresses that somebody has written.
 */
import assert from 'node:assert/strict';
import {
  kubeletAnnotation,
  type KubeletKind,
  type NodeAddress,
  runKubelet,
} from '@tandem/core/node-address';
import { systemClock } from '@tandem/runtime';
import {
  type Answer,
  type Credentials,
  type Question,
  request,
} from '../../control-plane/index.ts';
import { type Machine, reportedAddresses } from './reported-addresses.ts';

export interface KubeletFlags {
  readonly name: string;
  /** `--node-ip`; null where it is not given. */
  readonly nodeIP?: string | null;
  /** Whether it knows the words of KEP-3705. */
  readonly kind?: KubeletKind;
  /** `--provider-id`. */
  readonly providerID?: string;
  /** `--node-labels`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly machine?: Machine;
}

export class SimulatedKubelet {
  readonly name: string;
  readonly #credentials: Credentials;
  #flags: KubeletFlags;
  #heartbeats = 0;

  constructor(credentials: Credentials, flags: KubeletFlags) {
    this.name = flags.name;
    this.#credentials = credentials;
    this.#flags = flags;
  }

  /** Registers the node, and gives its UID. A node that is there is taken as it is. */
  async register(): Promise<string> {
    const answer = await this.#ask({ method: 'POST', path: nodesPath, body: this.#newNode() });
    if (answer.status === 409) {
      await this.#syncStatus();
      return JSON.parse((await this.#ask({ path: this.#path })).text).metadata.uid;
    }
    assert.equal(answer.status, 201, answer.text);
    return JSON.parse(answer.text).metadata.uid;
  }

  /** What is written every few seconds while the node is ready. */
  async heartbeat(): Promise<void> {
    this.#heartbeats += 1;
    await this.#patchStatus({ status: { conditions: [this.#ready('True')] } });
  }

  /** Starts anew with another `--node-ip`. */
  async restart({ nodeIP }: { readonly nodeIP: string | null }): Promise<void> {
    this.#flags = { ...this.#flags, nodeIP };
    await this.register();
  }

  /** The first status after a start: it always carries the annotation. */
  async #syncStatus(): Promise<void> {
    const node = JSON.parse((await this.#ask({ path: this.#path })).text);
    const hasAddresses = (node.status.addresses ?? []).length > 0;
    await this.#patchStatus({
      metadata: { annotations: { [kubeletAnnotation]: this.#annotation } },
      status: {
        conditions: [this.#ready('True')],
        ...(hasAddresses ? {} : { addresses: this.#addresses }),
      },
    });
  }

  #newNode(): object {
    const { name, labels, annotations, providerID } = this.#flags;
    const annotation = this.#annotation;
    return {
      metadata: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          ...labels,
        },
        annotations: {
          'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
          ...(annotation === null ? {} : { [kubeletAnnotation]: annotation }),
          ...annotations,
        },
      },
      spec: {
        ...(providerID === undefined ? {} : { providerID }),
        taints: [uninitialized],
      },
      status: {
        addresses: this.#addresses,
        conditions: [this.#ready('False')],
        nodeInfo,
        capacity: { cpu: '2', memory: '4Gi', pods: '110' },
      },
    };
  }

  get #annotation(): string | null {
    const { nodeIP = null, kind = 'kep' } = this.#flags;
    const { annotation, refused } = runKubelet(nodeIP, kind);
    assert.equal(refused, null, `kubelet does not start with --node-ip=${nodeIP}`);
    return annotation;
  }

  get #addresses(): NodeAddress[] {
    const { name: hostname, nodeIP = null, machine = machineDefault } = this.#flags;
    return reportedAddresses({ hostname, nodeIP, machine });
  }

  #ready(status: 'True' | 'False'): object {
    const at = new Date(systemClock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    return {
      type: 'Ready',
      status,
      reason: status === 'True' ? 'KubeletReady' : 'KubeletNotReady',
      message: `heartbeat ${this.#heartbeats}`,
      lastHeartbeatTime: at,
      lastTransitionTime: at,
    };
  }

  async #patchStatus(body: unknown): Promise<void> {
    const answer = await this.#ask({
      method: 'PATCH',
      path: `${this.#path}/status`,
      contentType: 'application/strategic-merge-patch+json',
      body,
    });
    assert.equal(answer.status, 200, answer.text);
  }

  get #path(): string {
    return `${nodesPath}/${this.name}`;
  }

  #ask(question: Question): Promise<Answer> {
    return request(this.#credentials, question);
  }
}

const nodesPath = '/api/v1/nodes';

/** What kubelet sets when it creates its node, and only then. */
const uninitialized = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

const machineDefault: Machine = { IPv4: '192.0.2.1', IPv6: '2001:db8::1' };

const nodeInfo = {
  architecture: 'amd64',
  bootID: '00000000-0000-4000-8000-000000000001',
  containerRuntimeVersion: 'containerd://2.1.0',
  kernelVersion: '6.12.0',
  kubeProxyVersion: '',
  kubeletVersion: 'v1.36.4',
  machineID: '00000000000040008000000000000002',
  operatingSystem: 'linux',
  osImage: 'Simulated',
  systemUUID: '00000000-0000-4000-8000-000000000003',
};
