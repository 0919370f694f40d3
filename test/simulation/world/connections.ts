/**
 * The transports of managers to the API server, and all that goes wrong on them until the world is healed: faults that
 * strike requests and watches, nodes that are deleted in the midst of a write, and writes that are executed late.
 */
import { textAt } from '@tandem/devcluster/json';
import type { EmbeddedCluster } from '@tandem/devcluster/model';
import type { KubeTransport } from '@tandem/kube/transport';
import type { Clock, Random } from '@tandem/runtime';
import {
  type FaultKind,
  type FaultyTransport,
  faultyTransport,
} from '../../support/api-faults/index.ts';
import type { Overseer } from '../oracle/index.ts';
import type { Disruption, WorldPlan } from '../plan/index.ts';
import type { Disruptions } from './disruptions.ts';
import type { Interruptions } from './interruptions.ts';
import { LateWrites } from './late-writes.ts';
import type { ManagerProcess } from './manager-process.ts';
import { SeverableTransport } from './severable.ts';
import type { Trace } from './trace.ts';
import { type Lateness, Wire } from './wire.ts';

interface ConnectionsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly plan: WorldPlan;
  readonly cluster: EmbeddedCluster;
  readonly overseer: () => Overseer;
  readonly interruptions: Interruptions;
  readonly disruptions: Disruptions;
  /** What befalls a manager when a write of its was taken. */
  readonly disrupt: (manager: ManagerProcess, disruption: Disruption) => void;
  readonly trace: Trace | undefined;
}

/** A process that needs a way. */
interface Connecting {
  readonly manager: ManagerProcess;
  /** Of the process among those that run at a time. */
  readonly place: number;
  readonly random: Random;
  /** As the process sees it. */
  readonly clock: Clock;
}

/** Faults after which the manager cannot know whether a write was stored. */
const losing: ReadonlySet<FaultKind> = new Set([
  'delay',
  'reset-after',
  'internal-error',
  'truncated',
]);

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #hurt: FaultyTransport[] = [];
  /** By place. */
  readonly #severable: SeverableTransport[] = [];
  readonly #lateWrites: LateWrites | undefined;
  #isHealed = false;

  constructor(options: ConnectionsOptions) {
    const { plan, random } = options;
    const late = plan.replicas?.lateWrites;
    this.#options = options;
    this.#lateWrites = late && new LateWrites(late, random.fork('late-writes'));
  }

  get faults(): number {
    return this.#hurt.reduce((sum, { injected }) => sum + injected.length, 0);
  }

  /** How many writes were executed late. */
  get lateWrites(): number {
    return this.#lateWrites?.total ?? 0;
  }

  /** Whether the API server has executed all that it took. */
  get isServed(): boolean {
    return (this.#lateWrites?.pending ?? 0) === 0;
  }

  /** Whether a write to this path may have had its effect without a manager's knowing. */
  hasLostAnswer(path: string): boolean {
    if (this.#lateWrites?.has(path) === true) return true;
    return this.#hurt.some(({ injected }) =>
      injected.some((fault) => fault.path === path && losing.has(fault.kind)),
    );
  }

  connect({ manager, place, random, clock }: Connecting): KubeTransport {
    const { cluster, interruptions, overseer, plan, trace } = this.#options;
    const wire: KubeTransport = new Wire({
      cluster,
      overseer: overseer(),
      trace,
      sender: {
        manager,
        clock: this.#options.clock,
        random: random.fork('latency'),
        interruptions,
        lateness: this.#latenessOf(manager),
      },
    });
    const ports = { clock, random: random.fork('faults') };
    const hurt = plan.apiFaults.reduce((inner, aimed) => {
      const transport = faultyTransport(inner, { ...ports, ...aimed });
      if (this.#isHealed) transport.heal();
      this.#hurt.push(transport);
      return trace === undefined ? transport : tracedFaults(transport, trace, manager.name);
    }, wire);
    const severable = new SeverableTransport(hurt);
    this.#severable[place] = severable;
    return severable;
  }

  /** Nothing goes wrong any more. */
  heal(): void {
    this.#isHealed = true;
    this.#lateWrites?.heal();
    for (const transport of this.#hurt) transport.heal();
    for (const connection of this.#severable) connection.sever();
  }

  /** What becomes of writes that the API server takes from the manager, and of the manager. */
  #latenessOf(manager: ManagerProcess): Lateness | undefined {
    const { disruptions, disrupt, plan } = this.#options;
    const late = this.#lateWrites;
    if (late === undefined) return undefined;
    return {
      meet: (request) => {
        const disruption = disruptions.meet(request, () => this.#sinceRenewalMs());
        if (disruption === undefined) return late.draw(request);
        disrupt(manager, disruption);
        return late.delayOf(request);
      },
      began: () => late.pending++,
      ended: () => late.pending--,
      watchLagMs: () => (manager.isWorking ? 0 : (plan.replicas?.standbyLagMs ?? 0)),
    };
  }

  #sinceRenewalMs(): number {
    const { clock, cluster } = this.#options;
    const lease = cluster.store.collection('leases').get('kube-system/cloud-controller-manager');
    return clock.now() - Date.parse(textAt(lease, 'spec', 'renewTime'));
  }
}

/** Tells of each fault when it strikes. */
function tracedFaults(hurt: FaultyTransport, trace: Trace, name: string): KubeTransport {
  let told = 0;
  const tellNew = (): void => {
    for (const { kind, method, path } of hurt.injected.slice(told)) {
      trace.add(name, `${kind} strikes ${method} ${path}`);
    }
    told = hurt.injected.length;
  };
  return {
    send(request) {
      const sent = hurt.send(request);
      tellNew();
      return sent.finally(tellNew);
    },
    close: () => hurt.close(),
  };
}
