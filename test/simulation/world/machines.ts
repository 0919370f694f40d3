/**
 * The machines of a world and their kubelets: they come up, and what the plan has happens to them. All of
 * it goes over a wire without faults, and the truth about the cloud is told wherever it changes.
 */
import { operatorAnnotation } from '@tandem/core/node-address';
import { SimulatedKubelet } from '@tandem/devcluster/kubelet';
import type { KubeTransport, Method } from '@tandem/kube/transport';
import { noFaults, type SimulatedCloud } from '@tandem/provider-simulated';
import { type Clock, type Ids, sleep } from '@tandem/runtime';
import type { Truth } from '../oracle/index.ts';
import type { Happening, Outage, PlannedMachine, WorldPlan } from '../plan/index.ts';

export interface MachinesOptions {
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
    const { cloud, truth, clock } = this.#options;
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
      case 'readdress': {
        const { machine, addresses } = happening;
        if (cloud.find(machine) === undefined) return undefined;
        return truth.readdressed(cloud.readdress(machine, addresses));
      }
      case 'outage':
        return this.#outage(happening);
      case 'compact':
        return this.#options.compact();
    }
  }

  #create(name: string, addresses: PlannedMachine['addresses']): void {
    const { cloud, truth } = this.#options;
    truth.created(name, cloud.create({ name, addresses }));
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
    const { clock, ids, transport, truth } = this.#options;
    const { name, nodeIP, operator, kind } = machine;
    const annotations: Record<string, string> =
      operator === undefined ? {} : { [operatorAnnotation]: operator };
    const flags = { name, nodeIP, kind: 'kep', annotations, detail: 'scant' } as const;
    const providerID = kind.is === 'foreign' ? kind.providerID : truth.machineOf(name);
    const kubelet = new SimulatedKubelet(
      { transport, clock, ids },
      kind.is === 'foreign' || kind.is === 'twin' ? { ...flags, providerID } : flags,
    );
    this.#kubelets.set(name, kubelet);
    await kubelet.register();
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
    this.#options.cloud.set({ faults: noFaults, lagMsMax: 0, latencyMs: { min: 1, max: 20 } });
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
