/** The lab for the exam of the simulated cloud, with the settings that a test gives it. */
import type { Lab, RouteLab } from '@tandem/provider/exam';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import {
  type CloudSettings,
  noFaults,
  noRouteFaults,
  otherSpellings,
  type RouteSettings,
  routeSettingsDefault,
  SimulatedCloud,
  type SimulatedRoutes,
} from './index.ts';

export async function openLab(habits: Partial<CloudSettings> = {}): Promise<Lab> {
  const clock = virtualClock();
  const lagMsMax = 500;
  const cloud = new SimulatedCloud({
    clock,
    random: seededRandom('exam'),
    settings: {
      latencyMs: { min: 5, max: 50 },
      lagMsMax,
      tellsChanges: true,
      unmanagedLabel: 'example.com/unmanaged',
      ...habits,
    },
  });
  const settle = (): Promise<void> => clock.advance(lagMsMax);
  return {
    provider: cloud,
    clock,
    otherSpellings,
    unmanagedLabels: { 'example.com/unmanaged': 'true' },
    awaitNotices: settle,
    unusedProviderID: 'simulated:///zone-0/i-ffffffff',
    async create(order) {
      const instance = cloud.create(order);
      await settle();
      return instance;
    },
    async readdress(name, addresses) {
      const instance = cloud.readdress(name, addresses);
      await settle();
      return instance;
    },
    async stop(name) {
      const instance = cloud.stop(name);
      await settle();
      return instance;
    },
    async remove(name) {
      cloud.terminate(name);
      await settle();
    },
    async breakCloud() {
      const { routes = routeSettingsDefault } = habits;
      const broken = { ...routes, faults: { ...noRouteFaults, failure: 1 } };
      cloud.set({ faults: { ...noFaults, failure: 1 }, routes: broken });
      return async () => cloud.set({ faults: noFaults, routes });
    },
    async revokeAccess() {
      cloud.set({ refusesCredentials: true });
      return async () => cloud.set({ refusesCredentials: false });
    },
    ...(cloud.routes === undefined ? {} : { routes: routeLabOf(cloud.routes) }),
    async waitFor(work) {
      void clock.runAll();
      return work;
    },
    async close() {},
  };
}

/** The first table has a limit, so that a test can fill it. */
export const tablesOfLab: RouteSettings['tables'] = [{ id: 'main', capacity: 20 }, { id: 'other' }];

function routeLabOf(routes: SimulatedRoutes): RouteLab {
  return {
    writes: () => routes.counts.writes,
    async addForeign(table, destination) {
      routes.addForeign(table, destination);
    },
    async fillTable() {
      for (let number = 0; routes.routesOf('main').length < 20; number++) {
        routes.addForeign('main', `172.16.${number}.0/24`);
      }
      return 'main';
    },
  };
}
