/**
 * A cluster in virtual time whose nodes have pod CIDRs, and a simulated cloud with route tables. All code between them
 * is the shipped code. After every write to a node with the reason `RouteCreated`, the fixture records the node's
 * routes that are missing in the tables. Tests assert that there are none (T5).
 */
import assert from 'node:assert/strict';
import { formatCidr } from '@tandem/core/ip';
import { readPodCIDR } from '@tandem/core/allocation';
import type { KubeTransport } from '@tandem/kube/transport';
import type { Routes, RouteTable } from '@tandem/provider/plug';
import { RouteTables } from '@tandem/provider/routes';
import { putObject, type StoredObject } from '../../../../test/support/embedded-api.ts';
import {
  type CloudSettings,
  routeSettingsDefault,
  SimulatedCloud,
} from '../../../../test/support/simulated-cloud.ts';
import { TestCluster } from '../loop/test-cluster.fixture.ts';
import { noteRequests, TestManager } from '../loop/test-manager.fixture.ts';
import { ListedRoutes } from './managed-routes.ts';
import type { RouteControllerSettings } from './options.ts';
import { RouteController } from './route-controller.ts';

export interface RouteManagerOptions {
  readonly mode?: 'write' | 'dryRun';
  readonly settings?: Partial<RouteControllerSettings>;
  readonly beforeWrite?: () => void;
  /** If set, the cloud lists these tables instead of its own. */
  readonly tables?: readonly RouteTable[];
  readonly wrap?: (transport: KubeTransport) => KubeTransport;
}

type RouteSettings = CloudSettings['routes'];

const cluster = ['10.244.0.0/16', 'fd00:10:244::/48'];

export class RouteWorld extends TestCluster {
  readonly cloud: SimulatedCloud;
  /** If set, the cloud refuses every change with this message or error. */
  refusal: string | Error | undefined;
  /** If set, every list fails with this error. */
  listFailure: Error | undefined;
  #settings: RouteSettings;
  #nodes = 0;

  constructor(routes: Partial<RouteSettings> = {}, seed = 'routes') {
    super(seed);
    this.#settings = {
      ...routeSettingsDefault,
      tables: [{ id: 'main' }],
      ...routes,
    };
    const { clock, random } = this;
    this.cloud = new SimulatedCloud({ clock, random, settings: { routes: this.#settings } });
    this.onNode((node) => this.#check(node));
  }

  set(routes: Partial<RouteSettings>): void {
    this.#settings = { ...this.#settings, ...routes };
    this.cloud.set({ routes: this.#settings });
  }

  start(options: RouteManagerOptions = {}): RouteManager {
    return new RouteManager(this, options);
  }

  /** Adds a node with its instance. Without `podCIDRs` it gets the next block of both families. */
  addNode(name: string, order: { podCIDRs?: readonly string[]; labels?: object } = {}): void {
    const { providerID, addresses } = this.cloud.create({ name });
    const number = this.#nodes++;
    const podCIDRs = order.podCIDRs ?? blocksOf(number);
    this.putNode(name, { providerID, addresses, podCIDRs, labels: order.labels ?? {} });
  }

  putNode(
    name: string,
    node: {
      readonly providerID: string;
      readonly addresses: readonly object[];
      readonly podCIDRs: readonly string[];
      readonly labels?: object;
    },
  ): void {
    const { providerID, addresses, podCIDRs, labels = {} } = node;
    putObject(this.model, 'nodes', {
      metadata: {
        name,
        uid: `uid-${name}-${this.model.store.version}`,
        creationTimestamp: this.timestamp,
        labels: { ...labels },
      },
      spec: { providerID, ...(podCIDRs.length === 0 ? {} : { podCIDR: podCIDRs[0], podCIDRs }) },
      status: { addresses },
    });
  }

  /** Returns our own routes in a table as `destination -> node`, sorted. */
  routes(table = 'main'): string[] {
    const names = new Map(
      this.nodes().map((node) => {
        const { spec } = JSON.parse(JSON.stringify(node));
        return [this.cloud.identify(String(spec.providerID)), node.metadata.name];
      }),
    );
    const own = (this.cloud.routes?.routesOf(table) ?? []).filter(({ ours }) => ours);
    return own
      .map(({ destination, target }) => {
        const end = target.kind === 'instance' ? (names.get(target.key) ?? 'no node') : target.kind;
        return `${canonical(destination)} -> ${end}`;
      })
      .toSorted();
  }

  /** Returns `status reason` of NetworkUnavailable; empty if the node has no such condition. */
  condition(name: string): string {
    const node = JSON.parse(JSON.stringify(this.model.store.collection('nodes').get(name) ?? {}));
    const conditions: { type: string; status: string; reason: string }[] =
      node.status?.conditions ?? [];
    const found = conditions.find(({ type }) => type === 'NetworkUnavailable');
    return found === undefined ? '' : `${found.status} ${found.reason}`;
  }

  events(): string[] {
    return this.eventViews().map(({ node, note }) => `${node}: ${note}`);
  }

  /** Returns the events of these reasons as `node reason`. */
  eventsOf(...reasons: string[]): string[] {
    return this.eventViews().flatMap(({ node, reason }) =>
      reasons.includes(reason) ? [`${node} ${reason}`] : [],
    );
  }

  #check(object: StoredObject): void {
    const { name } = object.metadata;
    if (this.condition(name) !== 'False RouteCreated') return;
    const { spec } = JSON.parse(JSON.stringify(object));
    const { families, tables } = this.#settings;
    for (const table of tables) {
      const listed = this.routes(table.id);
      for (const text of spec.podCIDRs ?? []) {
        const cidr = readPodCIDR(text).cidr;
        if (cidr === undefined || !families.includes(cidr.network.family)) continue;
        const route = `${formatCidr(cidr)} -> ${name}`;
        if (!listed.includes(route)) this.unproven.push(`${name} lacks ${route} in ${table.id}`);
      }
    }
  }

  /** The routes that nodes lacked while their condition was `RouteCreated`. */
  readonly unproven: string[] = [];
}

export class RouteManager extends TestManager {
  readonly controller: RouteController;

  constructor(world: RouteWorld, options: RouteManagerOptions) {
    const provider = world.cloud;
    const { routes } = provider;
    assert.ok(routes !== undefined);
    const server = noteRequests(world, world.model.connect());
    super(world, {
      provider,
      transport: options.wrap?.(server) ?? server,
      stopMsMax: 60_000,
    });
    const { clock, metrics } = this.parts;
    this.controller = new RouteController({
      ...this.parts,
      mode: options.mode ?? 'write',
      listed: new ListedRoutes(),
      tables: new RouteTables({
        provider,
        routes: altered(world, options, routes),
        clock,
        metrics,
      }),
      beforeWrite: () => {
        if (clock.isDead) throw new Error('a dead process writes nothing');
        options.beforeWrite?.();
      },
      settings: {
        clusterCIDRs: cluster.flatMap((text) => readPodCIDR(text).cidr ?? []),
        periodMs: { min: 45_000, max: 55_000 },
        ...options.settings,
      },
    });
    this.begin((signal) => this.controller.run(signal));
  }
}

export function blocksOf(number: number): string[] {
  return [`10.244.${number}.0/24`, `fd00:10:244:${number.toString(16)}::/64`];
}

function altered(
  world: RouteWorld,
  { tables }: Pick<RouteManagerOptions, 'tables'>,
  routes: Routes,
): Routes {
  return {
    families: routes.families,
    limits: routes.limits ?? {},
    async list(options) {
      if (world.listFailure !== undefined) throw world.listFailure;
      const listing = await routes.list(options);
      return tables === undefined ? listing : { ...listing, tables };
    },
    async apply(operations, options) {
      const { refusal } = world;
      if (refusal === undefined) return routes.apply(operations, options);
      const err = refusal instanceof Error ? refusal : new Error(refusal);
      return operations.map(() => ({ kind: 'refused', err }));
    },
  };
}

function canonical(text: string): string {
  const { cidr } = readPodCIDR(text);
  return cidr === undefined ? text : formatCidr(cidr);
}
