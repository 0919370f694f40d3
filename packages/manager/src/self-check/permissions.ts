/**
 * The permissions that a manager with these settings needs, and no others, each with the rule that gives it: a manager
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
  /** Undefined for what is in no namespace. */
  readonly namespace: string | undefined;
  /** Of the one object that it is about. */
  readonly name: string | undefined;
  readonly otherGroup: string | undefined;
  /** The service account of controllers that must have it; undefined for the manager's own. */
  readonly account: string | undefined;
  /** What does not work without, for everything that runs. */
  readonly consequence: string;
  /** `ClusterRole tandem:…`, as in the manifest. */
  readonly role: string;
  /** The rule as it can be put into the role. */
  readonly rule: string;
  /** The binding that gives the role to the account. */
  readonly binding: string;
  /** Where the binding stands. */
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

/** `leases.coordination.k8s.io`, as kubectl writes it. */
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

/** In the flow style of YAML, so that it can be pasted into a list of rules. */
export function describeRule(
  { group, resource, name }: Pick<Rule, 'group' | 'resource' | 'name'>,
  verbs: readonly Verb[],
): string {
  const names = name === undefined ? '' : ` resourceNames: [${name}],`;
  return `{apiGroups: ['${group}'], resources: [${resource}],${names} verbs: [${verbs.join(', ')}]}`;
}
