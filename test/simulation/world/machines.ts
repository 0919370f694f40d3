/**
 * The machines of a world and their kubelets: they come up, and what the plan has happens to them. All of
 * it goes over a wire without faults, and the truth about the cloud is told wherever it changes.
 */
import { operatorAnnotation } from '@tandem/core/node-address';
import { SimulatedKubelet } from '@tandem/devcluster/kubelet';
import type { KubeTransport, Method } from '@tandem/kube/transport';
import {
  noFaults,
  noRouteFaults,
  otherSpellings,
  type SimulatedCloud,
} from '@tandem/provider-simulated';
import { type Clock, type Ids, sleep } from '@tandem/runtime';
import type { Truth } from '../oracle/index.ts';
import {
  type Happening,
  type Outage,
  type PlannedMachine,
  poolLabel,
  routeLabel,
  unmanagedLabel,
  type WorldPlan,
} from '../plan/index.ts';
import type { Strike } from './interruptions.ts';

interface MachinesOptions {
  readonly plan: WorldPlan;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly cloud: SimulatedCloud;
  readonly truth: Truth;
  readonly transport: KubeTransport;
  readonly compact: () => void;
}

export class Machines {
  readonly #options: MachinesOptions;
  readonly #kubelets = new Map<string, SimulatedKubelet>();
  readonly #never = new AbortController().signal;
  /** How often the cloud has gone silent: an end belongs to its own beginning. */
  #outages = 0;

  constructor(options: MachinesOptions) {
    this.#options = options;
  }

  /** A machine comes up: its instance is there, and its kubelet registers. */
  async comeUp(machine: PlannedMachine): Promise<void> {
    const { truth } = this.#options;
    const { name, kind, addresses } = machine;
    if (kind.is === 'own') this.#create(name, addresses);
    if (kind.is === 'twin') truth.twinned(name, kind.of);
    await this.#register(machine);
  }

  async happen(happening: Happening): Promise<void> {
    const { cloud, clock } = this.#options;
    switch (happening.kind) {
      case 'annotate':
        return this.#annotate(happening.machine, happening.request);
      case 'restart':
        return void (await this.#kubelets.get(happening.machine)?.restart(happening));
      case 'heartbeat':
        return void (await this.#kubelets.get(happening.machine)?.report());
      case 'rejoin':
        await this.#delete(happening.machine);
        await sleep(clock, happening.pauseMs);
        return void (await this.#kubelets.get(happening.machine)?.reboot());
      case 'namesake':
        return this.#replace(happening.machine, happening.addresses);
      case 'terminate':
        this.#terminate(happening.machine);
        return this.#setReady(happening.machine, 'notReady');
      case 'unready':
        await this.#setReady(happening.machine, 'notReady');
        await sleep(clock, happening.forMs);
        return this.#setReady(happening.machine, 'ready');
      case 'cutOff':
        await this.#setReady(happening.machine, 'notReady');
        await this.#outage(happening);
        return this.#setReady(happening.machine, 'ready');
      case 'readdress':
        return this.#readdress(happening.machine, happening.addresses);
      case 'grant': {
        const { machine, addresses, request, pauseMs, failsOnce } = happening;
        this.#readdress(machine, addresses);
        await sleep(clock, pauseMs);
        if (failsOnce) cloud.failNext();
        return this.#annotate(machine, request);
      }
      case 'outage':
        return this.#outage(happening);
      case 'compact':
        return this.#options.compact();
      case 'stray':
        return void cloud.routes?.addForeign(happening.table, happening.destination);
      case 'unroutable': {
        const { providerID = '' } = cloud.find(happening.machine) ?? {};
        return cloud.routes?.unready(cloud.identify(providerID) ?? '');
      }
      case 'plugin':
        return this.#setNetwork(happening.machine, happening.status);
      case 'pause': {
        const { machine, forMs } = happening;
        await this.#ask('PATCH', machine, pausedPatch('true'));
        await sleep(clock, forMs);
        return this.#ask('PATCH', machine, pausedPatch(null));
      }
      case 'assign': {
        const { machine, podCIDRs } = happening;
        const spec = { podCIDR: podCIDRs[0], podCIDRs };
        // Refused where the node has some.
        return this.#ask('PATCH', machine, JSON.stringify({ spec }));
      }
    }
  }

  /** What is in the tables from the beginning. */
  addStrays(): void {
    const { cloud, plan } = this.#options;
    for (const { table, destination, owner } of plan.routes?.strays ?? []) {
      if (owner === 'other') cloud.routes?.addForeign(table, destination);
      else cloud.routes?.addLeftover(table, destination, 'i-gone');
    }
  }

  /** The Node is deleted in the midst of a write, and its machine goes too or its kubelet registers again. */
  async interrupt({ machine, rejoinMs }: Strike): Promise<void> {
    // Deleted before anybody waits for anything.
    const deleted = this.#delete(machine);
    if (rejoinMs === null) this.#terminate(machine);
    await deleted;
    if (rejoinMs === null) return;
    await sleep(this.#options.clock, rejoinMs);
    await this.#kubelets.get(machine)?.reboot();
  }

  /**
   * A look-up fails, once. Then the machine gets another address, and its node asks for that one.
   */
  async askAfterFailure(name: string, pauseMs: number): Promise<void> {
    const { cloud, clock } = this.#options;
    cloud.failNext();
    // No machine has this address, so that the manager has to ask the cloud.
    await this.#annotate(name, '203.0.113.77');
    await sleep(clock, pauseMs);
    this.#readdress(name, [{ type: 'InternalIP', address: '10.3.3.3' }]);
    await this.#annotate(name, '10.3.3.3');
  }

  /** A machine and its Node go at one time. */
  async remove(name: string): Promise<void> {
    this.#terminate(name);
    await this.#delete(name);
  }

  /** The cluster is given up. */
  async deleteAll(): Promise<void> {
    for (const name of this.#kubelets.keys()) await this.#delete(name);
  }

  #create(name: string, addresses: PlannedMachine['addresses']): void {
    const { cloud, plan, truth } = this.#options;
    const podBlocks = plan.routes?.podBlocks.get(name);
    const order = podBlocks === undefined ? { name, addresses } : { name, addresses, podBlocks };
    truth.created(name, cloud.create(order));
  }

  #readdress(name: string, addresses: PlannedMachine['addresses']): void {
    const { cloud, truth } = this.#options;
    if (cloud.find(name) !== undefined) truth.readdressed(cloud.readdress(name, addresses));
  }

  #terminate(name: string): void {
    const { cloud, truth } = this.#options;
    if (cloud.find(name) === undefined) return;
    cloud.terminate(name);
    truth.terminated(name);
  }

  /** The next node of the name is another machine, once the cloud shows the last one no longer. */
  async #replace(name: string, addresses: PlannedMachine['addresses']): Promise<void> {
    const { clock, plan } = this.#options;
    await this.#delete(name);
    this.#terminate(name);
    await sleep(clock, (plan.cloud.lagMsMax ?? 0) + 1);
    this.#create(name, addresses);
    await this.#kubelets.get(name)?.reboot();
  }

  async #register(machine: PlannedMachine): Promise<void> {
    const { clock, ids, plan, transport } = this.#options;
    const { name, nodeIP, operator, kind } = machine;
    const annotations: Record<string, string> =
      operator === undefined ? {} : { [operatorAnnotation]: operator };
    const isUnmanaged = kind.is === 'unmanaged';
    const state = kind.is === 'stranger' || isUnmanaged ? 'notReady' : 'ready';
    const labels = {
      ...(isUnmanaged ? { [unmanagedLabel]: 'true' } : {}),
      ...(plan.allocation?.labelled.includes(name) ? { [poolLabel.key]: poolLabel.value } : {}),
      ...(plan.routes?.selected?.includes(name) ? { [routeLabel.key]: routeLabel.value } : {}),
    };
    const isOthers = kind.is === 'foreign' || isUnmanaged;
    const providerID = isOthers ? kind.providerID : this.#spelt(machine);
    const isNamed = isOthers || kind.is === 'twin' || machine.spelling !== undefined;
    const { registered } = plan.allocation ?? plan.routes ?? {};
    const podCIDRs = registered?.get(name) ?? [];
    const kubelet = new SimulatedKubelet(
      { transport, clock, ids },
      {
        kind: 'kep',
        detail: 'scant',
        name,
        nodeIP,
        annotations,
        labels,
        state,
        podCIDRs,
        ...(isNamed && { providerID }),
      },
    );
    this.#kubelets.set(name, kubelet);
    await kubelet.register();
  }

  /** The providerID of its machine as its kubelet writes it. */
  #spelt({ name, spelling }: PlannedMachine): string {
    const providerID = this.#options.truth.machineOf(name);
    if (spelling === undefined || providerID === '') return providerID;
    return otherSpellings(providerID)[spelling] ?? providerID;
  }

  async #setReady(name: string, state: 'ready' | 'notReady'): Promise<void> {
    await this.#kubelets.get(name)?.setReady(state);
  }

  async #outage({ how, forMs }: { how: Outage; forMs: number }): Promise<void> {
    const { cloud, clock, plan } = this.#options;
    const outage = ++this.#outages;
    const faults = plan.cloud.faults ?? noFaults;
    cloud.set({ faults: { ...faults, [how]: 1 } });
    await sleep(clock, forMs);
    if (outage === this.#outages) cloud.set({ faults });
  }

  /** No outage outlives the trouble. */
  healCloud(): void {
    this.#outages++;
    const { cloud, plan } = this.#options;
    const latencyMs = { min: 1, max: 20 };
    cloud.set({ faults: noFaults, lagMsMax: 0, latencyMs });
    if (plan.routes === undefined) return;
    const { settings } = plan.routes;
    const healed = { faults: noRouteFaults, emptyShare: 0, unreadyShare: 0, unreadShare: 0 };
    cloud.set({
      routes: { ...settings, ...healed, latencyMs },
    });
  }

  /** As a network plugin does once it runs on the node. */
  async #setNetwork(name: string, status: 'True' | 'False'): Promise<void> {
    const reason = 'CiliumIsUp';
    const conditions = [{ type: 'NetworkUnavailable', status, reason, message: 'Cilium says so' }];
    await this.#options.transport.send({
      method: 'PATCH',
      path: `/api/v1/nodes/${name}/status`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/strategic-merge-patch+json',
      },
      signal: this.#never,
      body: JSON.stringify({ status: { conditions } }),
    });
  }

  async #annotate(name: string, request: string | null): Promise<void> {
    const body = { metadata: { annotations: { [operatorAnnotation]: request } } };
    await this.#ask('PATCH', name, JSON.stringify(body));
  }

  async #delete(name: string): Promise<void> {
    await this.#ask('DELETE', name);
  }

  async #ask(method: Method, name: string, body?: string): Promise<void> {
    await this.#options.transport.send({
      method,
      path: `/api/v1/nodes/${name}`,
      headers: { accept: 'application/json', 'content-type': 'application/merge-patch+json' },
      signal: this.#never,
      ...(body === undefined ? {} : { body }),
    });
  }
}

function pausedPatch(value: 'true' | null): string {
  return JSON.stringify({ metadata: { annotations: { 'tandem.dev/paused': value } } });
}
