import { examine, type Lab } from '@tandem/provider/exam';
import { seededRandom, virtualClock } from '@tandem/runtime';
import { noFaults, SimulatedCloud } from './index.ts';

async function openLab(): Promise<Lab> {
  const clock = virtualClock();
  const lagMsMax = 500;
  const cloud = new SimulatedCloud({
    clock,
    random: seededRandom('exam'),
    settings: { latencyMs: { min: 5, max: 50 }, lagMsMax },
  });
  const settle = (): Promise<void> => clock.advance(lagMsMax);
  return {
    provider: cloud,
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
      cloud.set({ faults: { ...noFaults, failure: 1 } });
      return async () => cloud.set({ faults: noFaults });
    },
    async revokeAccess() {
      cloud.set({ refusesCredentials: true });
      return async () => cloud.set({ refusesCredentials: false });
    },
    async waitFor(work) {
      void clock.runAll();
      return work;
    },
    async close() {},
  };
}

describe('exam of the simulated cloud', () => {
  for (const { name, run } of examine(openLab)) it(name, run);
});
