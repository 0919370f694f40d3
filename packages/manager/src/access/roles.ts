/**
 * Decides which identity holds which grant, and in which role. With one identity, the manager has all grants. With
 * `--use-service-account-credentials`, the service account of each controller has the controller's grants and those of
 * events, and the manager has its own: reading nodes, the Lease, and the tokens of the accounts. The manifests and the
 * check of permissions derive from these roles.
 */
import type { LeaseName } from '@tandem/kube/election';
import { type Grant, type GrantScope, theLease, type Verb } from './grant.ts';
import { electionGrants, eventsGrant, nodeCacheGrant, tokenGrant } from './shared-grants.ts';

/** The namespace of the manager's own service account and of the controllers', as in upstream's manifests. */
export const accountNamespace = 'kube-system';

export const managerAccount = 'cloud-controller-manager';

/** The name of a controller's service account; undefined for the manager's own identity. */
export type Account = string | undefined;

export interface Needs {
  readonly controllers: readonly ControllerNeeds[];
  /** Whether each controller works as its service account. */
  readonly hasAccounts: boolean;
  readonly hasElection: boolean;
  readonly hasEvents: boolean;
}

export interface ControllerNeeds {
  readonly serviceAccount: string;
  readonly grants: readonly Grant[];
}

/** A role that one identity is bound to. */
export interface BoundRole {
  readonly kind: 'ClusterRole' | 'Role';
  readonly name: string;
  /** The namespace of the role and its binding; undefined for a ClusterRole. */
  readonly namespace: string | undefined;
  /** The name of the binding. */
  readonly binding: string;
  readonly account: Account;
  readonly scope: GrantScope;
  readonly rules: readonly Rule[];
}

/** One rule: verbs on a resource that the same parts need for the same purposes. */
export interface Rule {
  readonly group: string;
  readonly resource: string;
  readonly name: string | undefined;
  readonly otherGroup: string | undefined;
  readonly needs: readonly Need[];
}

export interface Need {
  readonly verb: Verb;
  /** The grants that lead to the rule, one for each part of the program. */
  readonly grants: readonly Grant[];
}

/** Returns the accounts of these controllers without duplicates. */
export function accountsOf(
  controllers: readonly Pick<ControllerNeeds, 'serviceAccount'>[],
): string[] {
  return [...new Set(controllers.map(({ serviceAccount }) => serviceAccount))];
}

export function rolesFor(needs: Needs, lease: LeaseName): readonly BoundRole[] {
  const { controllers, hasAccounts, hasElection, hasEvents } = needs;
  const accounts: readonly Account[] = hasAccounts ? accountsOf(controllers) : [undefined];
  const held: HeldGrant[] = [{ account: undefined, grant: nodeCacheGrant }];
  if (hasElection) held.push(...electionGrants.map((grant) => ({ account: undefined, grant })));
  for (const { serviceAccount, grants } of controllers) {
    const account = hasAccounts ? serviceAccount : undefined;
    held.push(...grants.map((grant) => ({ account: holderOf(grant, account), grant })));
  }
  if (hasEvents) held.push(...accounts.map((account) => ({ account, grant: eventsGrant })));
  const tokens = accounts.flatMap((account) => (account === undefined ? [] : tokenGrant(account)));
  held.push(...tokens.map((grant) => ({ account: undefined, grant })));
  return rolesOf(held, lease);
}

interface HeldGrant {
  readonly account: Account;
  readonly grant: Grant;
}

/** The manager holds grants on the Lease and on tokens, even if a controller declares them. */
function holderOf({ scope }: Grant, account: Account): Account {
  return scope === 'lease' || scope === 'tokens' ? undefined : account;
}

const scopeOrder: readonly GrantScope[] = ['cluster', 'events', 'lease', 'tokens'];

function rolesOf(held: readonly HeldGrant[], lease: LeaseName): BoundRole[] {
  return scopeOrder.flatMap((scope) => {
    const here = held.filter(({ grant }) => grant.scope === scope);
    const accounts = [...new Set(here.map(({ account }) => account))];
    return accounts.map((account) => {
      const grants = here.filter((one) => one.account === account).map(({ grant }) => grant);
      return { ...placed(scope, account, lease), account, scope, rules: rulesOf(grants, lease) };
    });
  });
}

const prefix = 'tandem:cloud-controller-manager';

function placed(
  scope: GrantScope,
  account: Account,
  lease: LeaseName,
): Pick<BoundRole, 'kind' | 'name' | 'namespace' | 'binding'> {
  const own = account === undefined ? prefix : `tandem:controller:${account}`;
  switch (scope) {
    case 'cluster':
      return { kind: 'ClusterRole', name: own, namespace: undefined, binding: own };
    case 'events': {
      // Every identity that sends events is bound to the same role.
      const name = `${prefix}:events`;
      const binding = account === undefined ? name : own;
      return { kind: 'Role', name, namespace: 'default', binding };
    }
    case 'lease':
      return roleIn(lease.namespace, `${prefix}:lease`);
    case 'tokens':
      return roleIn(accountNamespace, `${prefix}:controller-account`);
  }
}

function roleIn(
  namespace: string,
  name: string,
): Pick<BoundRole, 'kind' | 'name' | 'namespace' | 'binding'> {
  return { kind: 'Role', name, namespace, binding: name };
}

/** Joins the verbs of a resource that have the same purposes into one rule. */
function rulesOf(grants: readonly Grant[], lease: LeaseName): Rule[] {
  const rules = new Map<string, Rule & { readonly needs: Need[] }>();
  for (const need of needsOf(grants)) {
    const [{ group, resource, name, otherGroup }] = need.grants;
    const full = name === theLease ? lease.name : name;
    const reasons = need.grants.map(({ part, purpose }) => `${part}: ${purpose}`);
    const key = JSON.stringify([group, resource, full, reasons]);
    const rule = rules.get(key) ?? { group, resource, name: full, otherGroup, needs: [] };
    rule.needs.push(need);
    rules.set(key, rule);
  }
  return [...rules.values()];
}

/** Returns each verb of each resource once, with all grants that need it. */
function needsOf(grants: readonly Grant[]): (Need & { readonly grants: [Grant, ...Grant[]] })[] {
  const needs = new Map<string, Need & { readonly grants: [Grant, ...Grant[]] }>();
  for (const grant of grants) {
    for (const verb of verbsOf(grant)) {
      const key = JSON.stringify([verb, grant.group, grant.resource, String(grant.name)]);
      const need = needs.get(key);
      if (need === undefined) needs.set(key, { verb, grants: [grant] });
      else need.grants.push(grant);
    }
  }
  return [...needs.values()];
}

const verbOrder: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

export function verbsOf({ verbs }: Pick<Grant, 'verbs'>): Verb[] {
  return verbOrder.filter((verb) => verbs[verb] !== undefined);
}

/** The permissions of a manager with one identity. A cluster has either this manifest or the other one. */
export const ownManifest = 'manifests/rendered/rbac.yaml';

/** The permissions with `--use-service-account-credentials`. */
export const accountsManifest = 'manifests/rendered/rbac-controller-accounts.yaml';

export function manifestFor({ hasAccounts }: { readonly hasAccounts: boolean }): string {
  return hasAccounts ? accountsManifest : ownManifest;
}
