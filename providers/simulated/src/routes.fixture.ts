/** A simulated cloud with route tables and instances, in virtual time. */
import type { RouteNode, RouteOperation, RouteOutcome, RouteTable } from '@tandem/provider/plug';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import {
  type RouteSettings,
  routeSettingsDefault,
  SimulatedCloud,
  type SimulatedRoutes,
} from './index.ts';

export interface RoutesWorld {
  readonly clock: VirtualClock;
  readonly cloud: SimulatedCloud;
  readonly routes: SimulatedRoutes;
  /** Creates an instance and returns its node as routes name it. */
  readonly node: (name: string) => RouteNode;
  readonly set: (settings: Partial<RouteSettings>) => void;
  /** Lists in virtual time, which advances until all timers have fired. So does `apply`. */
  readonly list: () => Promise<readonly RouteTable[]>;
  readonly apply: (...operations: readonly RouteOperation[]) => Promise<readonly RouteOutcome[]>;
}

export function aRoutesWorld(given: Partial<RouteSettings> = {}, seed = 'routes'): RoutesWorld {
  const clock = virtualClock();
  let settings = { ...routeSettingsDefault, tables: [{ id: 'a' }, { id: 'b' }], ...given };
  const cloud = new SimulatedCloud({
    clock,
    random: seededRandom(seed),
    settings: { routes: settings },
  });
  const { routes } = cloud;
  if (routes === undefined) throw new Error('the settings have no route tables');
  const { signal } = new AbortController();
  const run = async <T>(work: Promise<T>): Promise<T> => {
    void clock.runAll();
    return work;
  };
  return {
    clock,
    cloud,
    routes,
    node(name) {
      const { providerID, addresses } = cloud.create({ name });
      const [IPv4 = '', IPv6 = ''] = addresses.map(({ address }) => address);
      return { key: cloud.identify(providerID) ?? '', name, addresses: { IPv4, IPv6 } };
    },
    set(changes) {
      settings = { ...settings, ...changes };
      cloud.set({ routes: settings });
    },
    list: async () => (await run(routes.list({ signal }))).tables,
    apply: (...operations) => run(routes.apply(operations, { signal, beforeWrite: () => {} })),
  };
}
