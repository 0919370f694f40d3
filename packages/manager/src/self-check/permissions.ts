/**
 * The permissions that a manager with these settings needs, one by one, each with the rule that gives it.
 * Exactly those: whoever runs one controller, no election or a dry run is not told to grant the rest.
 */
import { accountManifest } from '../controller-account/index.ts';
import type { ManagerSettings } from '../settings/index.ts';
import { tokenPermission } from './delegated-permissions.ts';
import { type Grant, grants, manifestPath, type Part, type Role, type Verb } from './grants.ts';

export type CheckedSettings = Pick<
  ManagerSettings,
  'api' | 'controllers' | 'election' | 'lifecycle' | 'serving' | 'dryRun'
>;

export interface Permission {
  readonly verb: Verb;
  readonly group: string;
  readonly resource: string;
  /** Undefined for what is in no namespace. */
  readonly namespace: string | undefined;
  /** Of the one object that it is about. */
  readonly name: string | undefined;
  readonly otherGroup: string | undefined;
  /** The service account of the controllers that must have it; undefined for the manager's own. */
  readonly account: string | undefined;
  /** What does not work without, for everything that runs. */
  readonly consequence: string;
  /** `ClusterRole tandem:…`, as in the manifest. */
  readonly role: string;
  /** The rule as it can be put into the role. */
  readonly rule: string;
  /** What gives the role to whoever must have it. */
  readonly binding: string;
  /** Where the binding stands. */
  readonly manifest: string;
}

export function neededPermissions(settings: CheckedSettings): readonly Permission[] {
  const parts = runningParts(settings);
  const { controllerAccount: account } = settings.api;
  // A dry run has one identity only.
  if (account === undefined || settings.dryRun) return permissionsOf(parts, settings, undefined);
  return [
    tokenPermission(account),
    ...permissionsOf(
      parts.filter((part) => !isOfControllers(part)),
      settings,
      undefined,
    ),
    ...permissionsOf(
      parts.filter(isOfControllers),
      settings,
      `${account.namespace}/${account.name}`,
    ),
  ];
}

function permissionsOf(
  parts: readonly Part[],
  settings: CheckedSettings,
  account: string | undefined,
): Permission[] {
  return grants.flatMap((grant) =>
    grant.needs.flatMap(({ verb, by }) => {
      const consequences = parts.flatMap((part) => by[part] ?? []);
      if (consequences.length === 0) return [];
      const consequence = [...new Set(consequences)].join('; ');
      return [{ ...placeOf(grant, settings, account), verb, consequence }];
    }),
  );
}

/** The cache of nodes, the Lease and the brake's notes on it stay with the manager's own identity. */
function isOfControllers(part: Part): boolean {
  return !managersOwn.has(part);
}

const managersOwn: ReadonlySet<Part> = new Set<Part>([
  'node-cache',
  'election',
  'deletion-brake',
  'deletion-memory',
]);

/** `leases.coordination.k8s.io`, as kubectl writes it. */
export function qualifiedResource({
  group,
  resource,
}: Pick<Permission, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** A dry run takes no Lease, sends no event and writes to no node, nor does it look at one again. */
function runningParts({ controllers, election, lifecycle, dryRun }: CheckedSettings): Part[] {
  const hasLifecycle = controllers.has('cloud-node-lifecycle-controller');
  const hasBrake = hasLifecycle && lifecycle.brake !== undefined;
  if (dryRun) return hasBrake ? ['node-cache', 'deletion-brake'] : ['node-cache'];
  const elector: Part[] = election.isEnabled ? ['election'] : [];
  const brake: Part[] = hasBrake ? ['deletion-brake', 'deletion-memory'] : [];
  return ['node-cache', ...controllers, 'events', ...elector, ...brake];
}

function placeOf(
  grant: Grant,
  { election }: CheckedSettings,
  account: string | undefined,
): Omit<Permission, 'verb' | 'consequence'> {
  const { group, resource, otherGroup } = grant;
  const role = roleFor(grant, election.lease.namespace);
  const name = grant.isForLease ? election.lease.name : undefined;
  return {
    group,
    resource,
    namespace: role.kind === 'Role' ? role.namespace : undefined,
    name,
    otherGroup,
    account,
    role: describeRole(role),
    rule: describeRule(grant, name),
    binding: bindingOf(role, account),
    manifest: account === undefined ? manifestPath : accountManifest,
  };
}

/** The flags may put the Lease elsewhere, and its role has to follow. */
function roleFor({ role, group }: Grant, leaseNamespace: string): Role {
  if (role.kind === 'ClusterRole' || group !== 'coordination.k8s.io') return role;
  return { ...role, namespace: leaseNamespace };
}

/** Its name is the role's for the manager's own identity, and is only told apart for the controllers'. */
function bindingOf(role: Role, account: string | undefined): string {
  const name = account === undefined ? role.name : accountBindings[role.kind];
  return describeRole({ ...role, name }).replace('Role', 'RoleBinding');
}

const accountBindings: Readonly<Record<Role['kind'], string>> = {
  ClusterRole: 'tandem:cloud-controller-manager:node-controller',
  Role: 'tandem:cloud-controller-manager:node-controller-events',
};

function describeRole(role: Role): string {
  const { kind, name } = role;
  return role.kind === 'Role' ? `${kind} ${role.namespace}/${name}` : `${kind} ${name}`;
}

/** In the flow style of YAML, so that it can be pasted into a list of rules. */
function describeRule(grant: Grant, name: string | undefined): string {
  const { group, resource } = grant;
  const verbs = grant.needs.map(({ verb }) => verb);
  const names = name === undefined ? '' : ` resourceNames: [${name}],`;
  return `{apiGroups: ['${group}'], resources: [${resource}],${names} verbs: [${verbs.join(', ')}]}`;
}
