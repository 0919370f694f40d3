/**
 * Checks the installation at startup, so that an operator finds mistakes in the log and not in the state of nodes:
 * permissions, the holder of the Lease, and the clock. The checks run in the background, never fail the start, and
 * change nothing in the cluster.
 */
import type { KubeClient } from '@tandem/kube/client';
import { accountNamespace, manifestFor } from '../access/index.ts';
import { controllerAccounts } from '../settings/index.ts';
import type { Reviewers } from '@tandem/serving';
import { type Clock, deadline, type Logger, type Metrics } from '@tandem/runtime';
import { ApiServerClock } from './api-server-clock.ts';
import { checkPermissions, permissionNotes } from './check-permissions.ts';
import { authenticationPermissions, authorizationPermissions } from './delegated-permissions.ts';
import { tellLeaseHolder } from './lease-holder.ts';
import { type CheckedSettings, neededPermissions, type Permission } from './permissions.ts';

export interface SelfCheckOptions {
  /** A client without a write gate: a review is a create, and is sent before this manager leads. */
  readonly client: KubeClient;
  /** The clients of controllers that have their own accounts, by service account. */
  readonly accountClients?: ReadonlyMap<string, KubeClient>;
  /** The clients with which the secure port reviews its callers, if it does. */
  readonly reviewers?: Reviewers;
  readonly settings: CheckedSettings;
  /** The identity of this manager in the Lease. */
  readonly identity: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Aborts when the program has to end. */
  readonly signal: AbortSignal;
}

/** The limit of all checks together. An unreachable API server may come back within this time. */
const limitMs = 300_000;

/** Never rejects. May be called again. */
export async function runSelfChecks(options: SelfCheckOptions): Promise<void> {
  const { clock, metrics, settings, identity } = options;
  const logger = options.logger.child({ component: 'self-check' });
  const note = permissionNotes(metrics);
  const serverClock = new ApiServerClock(options.client, { clock, metrics });
  using scope = deadline(clock, limitMs, options.signal);
  const parts = { client: serverClock.client, clock, logger, note, signal: scope.signal };
  try {
    await Promise.all([
      ...permissionsByClient(options, parts.client).map((each) =>
        checkPermissions({ ...parts, ...each }),
      ),
      tellLeaseHolder({ ...parts, settings, identity }),
    ]);
    serverClock.tell(logger);
  } catch (err) {
    logger.warn({ err }, 'Could not finish the self-checks');
  }
}

/** The permissions of each identity, with the client that reviews them. */
function permissionsByClient(
  { settings, accountClients = new Map(), reviewers }: SelfCheckOptions,
  client: KubeClient,
): { readonly client: KubeClient; readonly permissions: readonly Permission[] }[] {
  const needed = neededPermissions(settings);
  const manifest = manifestFor({ hasAccounts: controllerAccounts(settings) !== undefined });
  const all = [
    { client, permissions: needed.filter(({ account }) => account === undefined) },
    ...Array.from(accountClients, ([name, own]) => ({
      client: own,
      permissions: needed.filter(({ account }) => account === `${accountNamespace}/${name}`),
    })),
    {
      client: reviewers?.authentication,
      permissions: authenticationPermissions(settings.serving.authentication, manifest),
    },
    { client: reviewers?.authorization, permissions: authorizationPermissions(manifest) },
  ];
  return all.flatMap(({ client: one, permissions }) =>
    one === undefined || permissions.length === 0 ? [] : [{ client: one, permissions }],
  );
}
