/** Who the controllers are to the API server. */
import { accountsOf } from '../access/index.ts';
import type { ManagerSettings } from './manager-settings.ts';

/**
 * The service accounts that the controllers of these settings work as, each once; undefined where they work
 * as the manager. A dry run writes nothing and has one identity only.
 */
export function controllerAccounts({
  api,
  controllers,
  dryRun,
}: Pick<ManagerSettings, 'api' | 'controllers' | 'dryRun'>): readonly string[] | undefined {
  if (!api.useControllerAccounts || dryRun) return undefined;
  return accountsOf(controllers.map(({ facts }) => facts));
}
