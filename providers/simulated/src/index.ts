/**
 * `--cloud-provider=simulated`: a cloud that has an instance for every node, so that the program runs
 * with nothing set up. Tests and `npm start` make a `SimulatedCloud` of their own and keep its hands.
 */
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { CcmError } from '@tandem/runtime';
import { SimulatedCloud } from './simulated-cloud.ts';

export type { InstanceOrder } from './instances.ts';
export { type CloudSettings, type FaultRates, noFaults, settingsDefault } from './settings.ts';
export { type CallCounts, SimulatedCloud } from './simulated-cloud.ts';

export async function createProvider(context: ProviderContext): Promise<Provider> {
  const { clock, random, configPath } = context;
  if (configPath !== undefined) {
    throw new CcmError('The provider simulated has no configuration; leave --cloud-config out', {
      code: 'SimulatedConfigGiven',
      retry: 'never',
      effect: 'none',
    });
  }
  return new SimulatedCloud({ clock, random, settings: { adoptsNodes: true } });
}
