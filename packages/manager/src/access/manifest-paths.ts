/** The manifests that give the permissions. Each is complete: a cluster has one or the other. */

/** For a manager that does everything as itself. */
export const ownManifest = 'manifests/rendered/rbac.yaml';

/** For `--use-service-account-credentials`. */
export const accountsManifest = 'manifests/rendered/rbac-controller-accounts.yaml';

export function manifestFor({ hasAccounts }: { readonly hasAccounts: boolean }): string {
  return hasAccounts ? accountsManifest : ownManifest;
}
