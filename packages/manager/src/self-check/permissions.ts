/**
 * Lists exactly the permissions that a manager with these settings needs, each with the rule that gives it. A manager
 * with one controller, without an election or in a dry run needs fewer.
 */
import {
  accountNamespace,
  type BoundRole,
  manifestFor,
  type Need,
  rolesFor,
  type Rule,
  type Verb,
} from '../access/index.ts';
import { controllerAccounts, type ManagerSettings } from '../settings/index.ts';

export type CheckedSettings = Pick<
  ManagerSettings,
  'api' | 'controllers' | 'election' | 'serving' | 'dryRun'
>;

export interface Permission {
  readonly verb: Verb;
  readonly group: string;
  readonly resource: string;
  /** Undefined for objects without a namespace. */
  readonly namespace: string | undefined;
  /** The name of the object; undefined for all objects. */
  readonly name: string | undefined;
  readonly otherGroup: string | undefined;
  /** The service account of controllers that must have it; undefined for the manager's own. */
  readonly account: string | undefined;
  /** What does not work without the permission, for everything that runs. */
  readonly consequence: string;
  /** The kind and name of the role in the manifest, such as `ClusterRole tandem:…`. */
  readonly role: string;
  /** The rule that a user can add to the role. */
  readonly rule: string;
  /** The binding that gives the role to the account. */
  readonly binding: string;
  /** The manifest that has the binding. */
  readonly manifest: string;
}

export function neededPermissions(settings: CheckedSettings): readonly Permission[] {
  const { controllers, election, dryRun } = settings;
  const mode = dryRun ? 'dryRun' : 'write';
  const hasAccounts = controllerAccounts(settings) !== undefined;
  const needed = rolesFor(
    {
      controllers: controllers.map((one) => ({ ...one.facts, grants: one.needs(mode) })),
      hasAccounts,
      hasElection: election.isEnabled && !dryRun,
      hasEvents: !dryRun,
    },
    election.lease,
  );
  const manifest = manifestFor({ hasAccounts });
  return needed.flatMap((role) =>
    role.rules.flatMap((rule) =>
      rule.needs.map((need) => ({
        ...placeOf(role, rule),
        verb: need.verb,
        consequence: consequenceOf(need),
        rule: describeRule(
          rule,
          rule.needs.map(({ verb }) => verb),
        ),
        manifest,
      })),
    ),
  );
}

/** Returns the resource as kubectl writes it: `leases.coordination.k8s.io`. */
export function qualifiedResource({
  group,
  resource,
}: Pick<Permission, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function placeOf(
  role: BoundRole,
  rule: Rule,
): Omit<Permission, 'verb' | 'consequence' | 'rule' | 'manifest'> {
  const { kind, namespace, account } = role;
  const { group, resource, name, otherGroup } = rule;
  const place = namespace === undefined ? '' : `${namespace}/`;
  return {
    group,
    resource,
    namespace,
    name,
    otherGroup,
    account: account === undefined ? undefined : `${accountNamespace}/${account}`,
    role: `${kind} ${place}${role.name}`,
    binding: `${kind}Binding ${place}${role.binding}`,
  };
}

function consequenceOf({ verb, grants }: Need): string {
  return [...new Set(grants.flatMap(({ verbs }) => verbs[verb] ?? []))].join('; ');
}

/** Formats a rule in the flow style of YAML, so that users can paste it into a list of rules. */
export function describeRule(
  { group, resource, name }: Pick<Rule, 'group' | 'resource' | 'name'>,
  verbs: readonly Verb[],
): string {
  const names = name === undefined ? '' : ` resourceNames: [${name}],`;
  return `{apiGroups: ['${group}'], resources: [${resource}],${names} verbs: [${verbs.join(', ')}]}`;
}
