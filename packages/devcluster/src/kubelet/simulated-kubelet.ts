/**
 * A kubelet with `--cloud-provider=external`, as an API server sees it. It registers its node with the taint, its
 * annotation and the addresses that it knows, reports its conditions, renews its lease, and updates its annotation
 * after a restart. Like a real one, it never taints an existing node, never touches addresses that a manager has
 * written, and registers a deleted node again only when it restarts.
 */
import {
  kubeletAnnotation,
  type KubeletKind,
  type KubeletOutcome,
  runKubelet,
} from '@tandem/core/node-address';
import type { KubeTransport } from '@tandem/kube/transport';
import { type Clock, type Ids, sleep } from '@tandem/runtime';
import { listAt, textAt } from '../json/index.ts';
import { formatMicroTime, formatTime } from '../schema/index.ts';
import { ask, type Message, metadataOnly, type Reply, strategicMerge } from './kubelet-api.ts';
import { conditionsOf, type Detail, newNode } from './node-object.ts';
import { reportedAddresses } from './reported-addresses.ts';

export interface KubeletFlags {
  readonly name: string;
  /** `--node-ip`; null where the flag is not given. */
  readonly nodeIP?: string | null;
  /** Whether it implements KEP-3705 or drops the words `IPv4` and `IPv6`, as released kubelets do. */
  readonly kind?: KubeletKind;
  /** `--provider-id`. */
  readonly providerID?: string;
  /** The podCIDRs that the node is registered with. No kubelet sets them, but other programs do. */
  readonly podCIDRs?: readonly string[];
  /** `--node-labels`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Scant nodes speed up tests that register thousands of them. */
  readonly detail?: Detail;
  /** The state in which its machine starts; `ready` by default. */
  readonly state?: 'ready' | 'notReady';
}

interface KubeletPorts {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly ids: Ids;
}

export type Registration =
  | { readonly kind: 'created' | 'found'; readonly uid: string }
  /** A kubelet does not start with these flags. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The API server refused the registration. */
  | { readonly kind: 'failed'; readonly reply: Reply };

/** How often a kubelet reports its conditions although nothing has changed. */
const reportEveryMs = 300_000;
/** How often it renews its lease. */
const renewEveryMs = 10_000;
const leaseSeconds = 40;
const machine = { IPv4: '192.0.2.1', IPv6: '2001:db8::1' };

export class SimulatedKubelet {
  readonly #ports: KubeletPorts;
  readonly #never = new AbortController().signal;
  #flags: KubeletFlags;
  #outcome: KubeletOutcome;
  #bootID: string;
  #isReady: boolean;
  #since: string;
  /** Whether its lease was there when it last looked. */
  #hasLease = false;

  constructor(ports: KubeletPorts, flags: KubeletFlags) {
    this.#ports = ports;
    this.#flags = flags;
    this.#outcome = outcomeOf(flags);
    this.#bootID = ports.ids.uuid();
    this.#isReady = flags.state !== 'notReady';
    this.#since = this.#now();
  }

  get name(): string {
    return this.#flags.name;
  }

  get bootID(): string {
    return this.#bootID;
  }

  /** Registers the node. Of an existing node, it only updates the status and the annotation. */
  async register(signal: AbortSignal = this.#never): Promise<Registration> {
    const { refused } = this.#outcome;
    if (refused !== null) return { kind: 'refused', reason: refused };
    const created = await this.#create(nodes, this.#newNode(), signal);
    if (created.status === 201)
      return { kind: 'created', uid: textAt(created.value, 'metadata', 'uid') };
    if (created.status !== 409) return { kind: 'failed', reply: created };
    const reply = await this.#reportAfterStart(signal);
    if (reply.status !== 200) return { kind: 'failed', reply };
    return { kind: 'found', uid: textAt(reply.value, 'metadata', 'uid') };
  }

  /** Reports its conditions. A deleted node is answered with 404 and stays deleted. */
  report(signal: AbortSignal = this.#never): Promise<Reply> {
    return this.#patchStatus({ status: { conditions: this.#conditions } }, signal);
  }

  /** Stops or restores its container runtime. */
  async setReady(state: 'ready' | 'notReady', signal: AbortSignal = this.#never): Promise<Reply> {
    const isReady = state === 'ready';
    if (isReady !== this.#isReady) this.#since = this.#now();
    this.#isReady = isReady;
    return this.report(signal);
  }

  /** Starts again, with another `--node-ip` if one is given. */
  restart(flags: { readonly nodeIP?: string | null } = {}): Promise<Registration> {
    this.#flags = { ...this.#flags, ...flags };
    this.#outcome = outcomeOf(this.#flags);
    return this.register();
  }

  /** Restarts the machine, which gets another boot ID, and the kubelet with it. */
  reboot(): Promise<Registration> {
    this.#bootID = this.#ports.ids.uuid();
    this.#since = this.#now();
    this.#isReady = true;
    return this.restart();
  }

  /** Renews its lease in `kube-node-lease`, or creates it. */
  async renewLease(signal: AbortSignal = this.#never): Promise<Reply> {
    if (this.#hasLease) {
      const renewed = await this.#patchLease(signal);
      if (renewed.status !== 404) return renewed;
    }
    const body = { metadata: { name: this.name }, spec: this.#leaseSpec };
    const created = await this.#create(leases, body, signal);
    this.#hasLease = created.status === 201 || created.status === 409;
    return created.status === 409 ? this.#patchLease(signal) : created;
  }

  /** Registers, which is its first report, then reports and renews periodically until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const registered = await this.register(signal);
    if (registered.kind === 'refused') return;
    const renew = () => this.renewLease(signal).catch(() => undefined);
    await Promise.all([
      this.#repeat(reportEveryMs, () => this.report(signal), signal),
      renew().then(() => this.#repeat(renewEveryMs, renew, signal)),
    ]);
  }

  /** A failed request is repeated after the next period. */
  async #repeat(everyMs: number, act: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#ports.clock, everyMs, signal).catch(() => undefined);
      if (!signal.aborted) await act().catch(() => undefined);
    }
  }

  /** The first status after a start always has the annotation, and addresses only where the node has none. */
  async #reportAfterStart(signal: AbortSignal): Promise<Reply> {
    const found = await this.#ask({ method: 'GET', path: `${nodes}/${this.name}` }, signal);
    if (found.status !== 200) return found;
    const { annotation, withheld } = this.#outcome;
    const hasAddresses = listAt(found.value, 'status', 'addresses').length > 0;
    const addresses = hasAddresses ? null : this.#addresses;
    return this.#patchStatus(
      {
        ...(withheld === null
          ? { metadata: { annotations: { [kubeletAnnotation]: annotation } } }
          : {}),
        status: {
          conditions: this.#conditions,
          nodeInfo: { bootID: this.#bootID },
          ...(addresses === null ? {} : { addresses }),
        },
      },
      signal,
    );
  }

  #newNode(): object {
    const { name, providerID, podCIDRs = [], labels = {}, annotations = {} } = this.#flags;
    return newNode({
      name,
      providerID,
      podCIDRs,
      labels,
      annotations,
      nodeIPAnnotation: this.#outcome.annotation,
      addresses: this.#addresses,
      conditions: this.#conditions,
      bootID: this.#bootID,
      detail: this.#detail,
    });
  }

  get #addresses(): ReturnType<typeof reportedAddresses> {
    const { name, nodeIP = null } = this.#flags;
    return reportedAddresses(this.#outcome, { hostname: name, nodeIP, machine });
  }

  get #conditions(): ReturnType<typeof conditionsOf> {
    return conditionsOf({
      detail: this.#detail,
      isReady: this.#isReady,
      now: this.#now(),
      since: this.#since,
    });
  }

  get #detail(): Detail {
    return this.#flags.detail ?? 'full';
  }

  #now(): string {
    return formatTime(this.#ports.clock.now());
  }

  #patchStatus(body: object, signal: AbortSignal): Promise<Reply> {
    const path = `${nodes}/${this.name}/status`;
    return this.#ask(
      { method: 'PATCH', path, body, contentType: strategicMerge, accept: metadataOnly },
      signal,
    );
  }

  #patchLease(signal: AbortSignal): Promise<Reply> {
    const path = `${leases}/${this.name}`;
    const contentType = 'application/merge-patch+json';
    return this.#ask(
      { method: 'PATCH', path, body: { spec: this.#leaseSpec }, contentType, accept: metadataOnly },
      signal,
    );
  }

  get #leaseSpec(): object {
    return {
      holderIdentity: this.name,
      leaseDurationSeconds: leaseSeconds,
      renewTime: formatMicroTime(this.#ports.clock.now()),
    };
  }

  #create(path: string, body: object, signal: AbortSignal): Promise<Reply> {
    return this.#ask({ method: 'POST', path, body, accept: metadataOnly }, signal);
  }

  #ask(message: Message, signal: AbortSignal): Promise<Reply> {
    return ask(this.#ports.transport, message, signal);
  }
}

/** What the kubelet makes of its flags when it starts. */
function outcomeOf({ nodeIP = null, kind = 'released' }: KubeletFlags): KubeletOutcome {
  return runKubelet(nodeIP, kind);
}

const nodes = '/api/v1/nodes';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
