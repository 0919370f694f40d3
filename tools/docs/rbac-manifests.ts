/**
 * `manifests/rbac.yaml` and `manifests/rbac-controller-accounts.yaml`: the roles that the declared grants
 * make, each bound to the identity that needs it, and nothing else.
 */
import {
  accountNamespace,
  accountsOf,
  type BoundRole,
  managerAccount,
  rolesFor,
  type Rule,
} from '@tandem/manager/access';
import type { ControllerDeclaration } from '@tandem/manager/controllers';

/** For a manager that does everything as itself. */
export function renderRbac(controllers: readonly ControllerDeclaration[]): string {
  const about = `What the manager may do, and nothing else. With --use-service-account-credentials, apply
rbac-controller-accounts.yaml in place of this file.`;
  return documents(about, [
    serviceAccount(managerAccount),
    ...renderRoles(controllers, { hasAccounts: false }),
    ...securePort,
  ]);
}

/** For a manager with `--use-service-account-credentials`. */
export function renderRbacWithAccounts(controllers: readonly ControllerDeclaration[]): string {
  const about = `For a manager with --use-service-account-credentials: apply it in place of rbac.yaml. The manager itself
reads nodes, holds the Lease and requests tokens of the controllers' accounts. It cannot write to nodes:
each account has the permissions of its own controllers, and nothing else.`;
  return documents(about, [
    ...[managerAccount, ...accountsOf(controllers)].map((name) => serviceAccount(name)),
    ...renderRoles(controllers, { hasAccounts: true }),
    ...securePort,
  ]);
}

/** The one that the flags name by default, as upstream's do. */
const lease = { namespace: 'kube-system', name: 'cloud-controller-manager' };

function documents(about: string, objects: readonly string[]): string {
  const head = `Made by \`npm run docs\` from the grants in packages/manager/src/controllers and packages/manager/src/access.
Each rule says which part of the program needs it, and a test compares this file with what the code declares.

${about}`;
  return `${comment(head, '')}\n${objects.join('\n---\n')}\n`;
}

function renderRoles(
  controllers: readonly ControllerDeclaration[],
  { hasAccounts }: { readonly hasAccounts: boolean },
): string[] {
  const needs = { controllers, hasAccounts, hasElection: true, hasEvents: true };
  const seen = new Set<string>();
  return rolesFor(needs, lease).flatMap((role) => {
    const key = `${role.namespace}/${role.name}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return [...(isNew ? [renderRole(role)] : []), renderBinding(role)];
  });
}

const rbacVersion = 'rbac.authorization.k8s.io/v1';

function serviceAccount(name: string): string {
  return `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: ${accountNamespace}`;
}

function renderRole({ kind, name, namespace, rules }: BoundRole): string {
  return `apiVersion: ${rbacVersion}
kind: ${kind}
${metadata(name, namespace)}
rules:
${rules.map(renderRule).join('\n')}`;
}

function renderRule({ group, resource, name, needs }: Rule): string {
  const reasons = (needs[0]?.grants ?? []).map(({ part, purpose }) => `${part}: ${purpose}.`);
  const verbs = needs.map(({ verb }) => verb).join(', ');
  return [
    comment(reasons.join('\n'), '  '),
    `  - apiGroups: [${group === '' ? "''" : group}]`,
    `    resources: [${resource}]`,
    ...(name === undefined ? [] : [`    resourceNames: [${name}]`]),
    `    verbs: [${verbs}]`,
  ].join('\n');
}

function renderBinding({ kind, name, namespace, binding, account }: BoundRole): string {
  return bindingOf({
    name: binding,
    namespace,
    role: { kind, name },
    account: account ?? managerAccount,
  });
}

function bindingOf(options: {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly role: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string };
  readonly account: string;
}): string {
  const { name, namespace, role, account } = options;
  return `apiVersion: ${rbacVersion}
kind: ${namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding'}
${metadata(name, namespace)}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${role.kind}
  name: ${role.name}
subjects:
  - kind: ServiceAccount
    name: ${account}
    namespace: ${accountNamespace}`;
}

/** The cluster has the roles; what asks is the manager's own account in any case. */
const securePort: readonly string[] = [
  `# The secure port asks the API server who a caller is and what that caller may see.
${bindingOf({
  name: 'tandem:cloud-controller-manager:auth-delegator',
  namespace: undefined,
  role: { kind: 'ClusterRole', name: 'system:auth-delegator' },
  account: managerAccount,
})}`,
  `# The secure port reads which authorities vouch for clients and for front proxies.
${bindingOf({
  name: 'tandem:cloud-controller-manager:authentication-reader',
  namespace: 'kube-system',
  role: { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
  account: managerAccount,
})}`,
];

function metadata(name: string, namespace: string | undefined): string {
  const place = namespace === undefined ? '' : `\n  namespace: ${namespace}`;
  return `metadata:\n  name: ${name}${place}`;
}

function comment(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => `${indent}# ${line}`.trimEnd())
    .join('\n');
}
