/**
 * Checks that the program has the permissions that it needs, and logs each missing one with the rule that gives it. A
 * denial counts only if it is repeated: rules that were applied together with the program may reach the authorizer a
 * moment after the start.
 */
import {
  DeadlineExceededError,
  type Logger,
  type MetricDeclaration,
  type Metrics,
  sleep,
} from '@tandem/runtime';
import { type ReviewOptions, reviewPermission, type Verdict } from './access-review.ts';
import { type Permission, qualifiedResource } from './permissions.ts';

export const missingPermissions: MetricDeclaration<'verb' | 'resource'> = {
  name: 'tandem_missing_permissions',
  help: 'Permissions that the manager needs, as checked at startup: 1 if missing, 0 if present.',
  stability: 'ALPHA',
  labels: ['verb', 'resource'],
};

type NotePermission = (permission: Permission, state: 'missing' | 'present') => void;

/**
 * Sets the metric for identities that are checked in parallel: a permission that one of them lacks counts as missing,
 * whatever the later answers for the others are.
 */
export function permissionNotes(metrics: Metrics): NotePermission {
  const gauge = metrics.gauge(missingPermissions);
  const lacking = new Set<string>();
  return (permission, state) => {
    const { verb } = permission;
    const resource = qualifiedResource(permission);
    const key = `${verb} ${resource}`;
    if (state === 'missing') lacking.add(key);
    gauge.set({ verb, resource }, lacking.has(key) ? 1 : 0);
  };
}

interface PermissionCheckOptions extends ReviewOptions {
  readonly permissions: readonly Permission[];
  readonly logger: Logger;
  readonly note: NotePermission;
}

interface Denial {
  readonly permission: Permission;
  readonly reason: string | undefined;
}

/** How long the authorizer has to learn of new rules. */
const secondSightMs = 5_000;

/** Never rejects. */
export async function checkPermissions(options: PermissionCheckOptions): Promise<void> {
  const { permissions, clock, logger, signal } = options;
  const denied = await findDenied(options, permissions);
  if (denied === undefined) return;
  if (denied.length === 0) {
    logger.debug({ permissions: permissions.length }, 'Found all required permissions');
    return;
  }
  await sleep(clock, secondSightMs, signal).catch(() => undefined);
  const again = denied.map(({ permission }) => permission);
  const missing = await findDenied(options, again);
  for (const { permission, reason } of missing ?? []) tellMissing(options, permission, reason);
}

/** Reviews one permission after the other, because this is never urgent. Undefined if an answer is missing. */
async function findDenied(
  options: PermissionCheckOptions,
  permissions: readonly Permission[],
): Promise<readonly Denial[] | undefined> {
  const denied: Denial[] = [];
  for (const permission of permissions) {
    const verdict = await reviewPermission(permission, options);
    switch (verdict.kind) {
      case 'allowed':
        options.note(permission, 'present');
        break;
      case 'denied':
        denied.push({ permission, reason: verdict.reason });
        break;
      case 'unknown':
        tellUnknown(options, verdict);
        return undefined;
    }
  }
  return denied;
}

function tellMissing(
  { logger, note }: PermissionCheckOptions,
  permission: Permission,
  reason: string | undefined,
): void {
  const { verb, namespace, name, account, consequence, role, rule, binding, manifest } = permission;
  const resource = qualifiedResource(permission);
  note(permission, 'missing');
  const facts = { verb, resource, namespace, name, account, consequence };
  logger.error({ ...facts, role, rule, binding, manifest, reason }, 'Missing permission');
}

/** Logs that permissions could not be checked, unless the program is stopping. */
function tellUnknown(
  { logger, signal }: PermissionCheckOptions,
  { err }: Verdict & { readonly kind: 'unknown' },
): void {
  if (signal.aborted && !(signal.reason instanceof DeadlineExceededError)) return;
  logger.warn({ err }, 'Could not check permissions');
}
