/**
 * Implements `--cloud-provider=simulated`: a cloud with an instance for every node, so that the program runs without
 * any set-up. Tests and `npm start` create their own `SimulatedCloud` and change it through its methods.
 */
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { CcmError } from '@tandem/runtime';
import { SimulatedCloud } from './simulated-cloud.ts';

export { type InstanceOrder, otherSpellings } from './instances.ts';
export {
  noRouteFaults,
  type RouteFaultRates,
  type RouteSettings,
  routeSettingsDefault,
} from './route-settings.ts';
export { type CloudSettings, type FaultRates, noFaults, settingsDefault } from './settings.ts';
export { type CallCounts, SimulatedCloud } from './simulated-cloud.ts';
export { type RouteCounts, SimulatedRoutes } from './simulated-routes.ts';

export async function createProvider({
  clock,
  random,
  configPath,
}: Pick<ProviderContext, 'clock' | 'random' | 'configPath'>): Promise<Provider> {
  if (configPath !== undefined) {
    throw new CcmError('The provider simulated takes no configuration. Remove --cloud-config.', {
      code: 'SimulatedConfigGiven',
      retry: 'never',
      effect: 'none',
    });
  }
  return new SimulatedCloud({ clock, random, settings: { adoptsNodes: true } });
}
