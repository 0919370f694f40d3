/** A cluster in virtual time with complete managers, as the program runs them. */
import { uninitializedTaint } from '@tandem/core/node-init';
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import type { Provider } from '@tandem/provider/plug';
import { createLogger, createMetrics, type Metrics, seededIds } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import {
  createCluster,
  type EmbeddedCluster,
  putObject,
  textAt,
} from '../../../../test/support/embedded-api.ts';
import {
  type CloudSettings,
  routeSettingsDefault,
  SimulatedCloud,
} from '../../../../test/support/simulated-cloud.ts';
import { noConfiguration } from '../config/index.ts';
import type { ControllerDeclaration } from '../controllers/index.ts';
import { joinConfiguration, parseCommandLine } from '../flags/index.ts';
import { controllerAccounts, type ManagerSettings } from '../settings/index.ts';
import { App } from './app.ts';

export interface StartOptions {
  readonly args?: readonly string[];
  readonly provider?: Provider;
  /** Wraps the transport of the manager itself, or that of a service account. */
  readonly wrap?: (transport: KubeTransport, account: string | undefined) => KubeTransport;
  readonly hasStreamingList?: boolean;
  /** Whether each controller works as its service account. */
  readonly hasAccounts?: boolean;
  /** The declared controllers. By default, those of the program. */
  readonly declarations?: readonly ControllerDeclaration[];
}

export class AppWorld {
  readonly clock: VirtualClock = virtualClock({ startMs: Date.parse('2026-03-01T12:00:00Z') });
  readonly model: EmbeddedCluster = createCluster({
    clock: this.clock,
    random: seededRandom('world'),
  });
  readonly cloud: SimulatedCloud = new SimulatedCloud({
    clock: this.clock,
    random: seededRandom('cloud'),
    settings: { routes: routesOf() },
  });

  /** Changes the behaviour of the cloud's route tables from now on. */
  setRoutes(settings: Partial<RouteSettings>): void {
    this.cloud.set({ routes: routesOf(settings) });
  }

  /** Creates a node as the kubelet registers it, and its instance. */
  addMachine(name: string): void {
    this.cloud.create({ name });
    putObject(this.model, 'nodes', {
      metadata: {
        name,
        uid: `uid-${name}`,
        creationTimestamp: '2026-03-01T12:00:00Z',
        labels: { os: 'linux' },
      },
      spec: { taints: [{ key: uninitializedTaint, effect: 'NoSchedule' }] },
      status: { addresses: [{ type: 'Hostname', address: name }] },
    });
  }

  /** Writes a Lease that a manager outside this test holds. An empty name means a released Lease. */
  holdLease(holderIdentity: string): void {
    const spec = {
      holderIdentity,
      leaseDurationSeconds: 15,
      renewTime: '2026-03-01T11:00:00.000000Z',
    };
    putObject(this.model, 'leases', {
      metadata: { name: 'cloud-controller-manager', namespace: 'kube-system' },
      spec,
    });
  }

  /** Returns the events of a node as `reason message`. */
  events(node: string): string[] {
    return this.model.store
      .collection('events')
      .list()
      .filter((event) => Object(event['involvedObject']).name === node)
      .map((event) => `${textAt(event, 'reason')} ${textAt(event, 'message')}`);
  }

  isInitialised(name: string): boolean {
    const node: unknown = this.model.store.collection('nodes').get(name);
    return node !== undefined && !JSON.stringify(node).includes(uninitializedTaint);
  }

  start(name: string, options: StartOptions = {}): RunningApp {
    return new RunningApp(this, name, options);
  }
}

export class RunningApp {
  readonly metrics: Metrics = createMetrics();
  readonly log: string[] = [];
  readonly writes: string[] = [];
  readonly app: App;
  readonly ended: Promise<'stopped' | 'stuck'>;
  readonly #world: AppWorld;
  readonly #stop = new AbortController();

  constructor(world: AppWorld, name: string, options: StartOptions) {
    const { args = [], provider, wrap, hasAccounts = false, declarations } = options;
    const { hasStreamingList = true } = options;
    this.#world = world;
    const { clock } = world;
    const random = seededRandom(name);
    const write = (line: string): void => void this.log.push(String(JSON.parse(line).msg));
    const accountArgs = hasAccounts ? ['--use-service-account-credentials'] : [];
    const settings = settingsOf([...args, ...accountArgs], declarations);
    const connect = (account: string | undefined): KubeTransport => {
      const connected = this.#counted(world.model.connect({ hasStreamingList }));
      return wrap?.(connected, account) ?? connected;
    };
    const accounts = controllerAccounts(settings);
    const ports = {
      clock,
      random,
      ids: seededIds(random),
      logger: createLogger({ clock, destination: { write } }),
      metrics: this.metrics,
      transport: connect(undefined),
      accountTransports: accounts && new Map(accounts.map((one) => [one, connect(one)])),
      server: 'https://model',
      hostname: name,
    };
    this.app = new App(ports, settings);
    const { signal } = this.#stop;
    void this.app.follow(signal);
    this.ended = this.app.run(provider ?? world.cloud, signal);
    this.ended.catch(() => undefined);
  }

  async stop(): Promise<'stopped' | 'stuck'> {
    this.#stop.abort(new Error('The test stops the manager'));
    await this.#world.clock.advance(20_000);
    return this.ended;
  }

  #counted(transport: KubeTransport): KubeTransport {
    const count = ({ method, path }: TransportRequest): void => {
      if (method !== 'GET') this.writes.push(`${method} ${path.split('?')[0]}`);
    };
    return {
      send(request) {
        count(request);
        return transport.send(request);
      },
      close: () => transport.close(),
    };
  }
}

type RouteSettings = CloudSettings['routes'];

function routesOf(settings: Partial<RouteSettings> = {}): RouteSettings {
  return { ...routeSettingsDefault, tables: [{ id: 'main' }], ...settings };
}

/** Returns the settings for these flags, with a provider that is not loaded. */
export function settingsOf(
  args: readonly string[],
  declarations?: readonly ControllerDeclaration[],
): ManagerSettings {
  const line = parseCommandLine(['--cloud-provider=simulated', ...args], declarations);
  if (line.kind !== 'run') throw new Error(`these flags run nothing: ${args.join(' ')}`);
  const { settings, problems } = joinConfiguration(line, noConfiguration);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return settings;
}
