/**
 * `templates/rbac.yaml` of the chart: the roles that follow from the declared grants, each bound to the identity that
 * needs it. Grants that only a disabled controller needs are left out.
 */
import {
  accountNamespace,
  accountsOf,
  type BoundRole,
  type Grant,
  rolesFor,
  type Rule,
} from '@tandem/manager/access';
import type { ControllerDeclaration } from '@tandem/manager/controllers';

export function renderRbac(controllers: readonly ControllerDeclaration[]): string {
  const about = `Made by \`npm run docs\` from the grants in packages/manager/src/controllers and packages/manager/src/access.
Each rule says which part of the program needs it.`;
  const objects = (hasAccounts: boolean): string =>
    new RbacTemplate(controllers, hasAccounts).render();
  return `{{- /*
${about}
*/ -}}
{{- $on := .Values.controllers }}
{{- if .Values.controllerAccounts }}
${objects(true)}
{{- else }}
${objects(false)}
{{- end }}
${securePort.join('\n')}
`;
}

/** The account of the manager; its default is upstream's name. */
const managerAccount = '{{ $.Values.serviceAccount.name }}';

/** The name is a value of the chart, the namespace is where the chart is installed. */
const lease = { namespace: accountNamespace, name: '{{ .Values.leaderElection.leaseName }}' };

const aboutOne = `# The manager. The roles below are what it may do, and nothing else.
`;

const aboutAccounts = `# The manager. It reads nodes, holds the Lease and requests tokens of the controllers' accounts. It cannot write to
# nodes: each account has the permissions of its own controllers, and nothing else.
`;

const annotations = `
  {{- with .Values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}`;

class RbacTemplate {
  readonly #controllers: readonly ControllerDeclaration[];
  readonly #hasAccounts: boolean;
  /** The controller of each grant; grants of shared parts have none. */
  readonly #owners = new Map<Grant, string>();

  constructor(controllers: readonly ControllerDeclaration[], hasAccounts: boolean) {
    this.#controllers = controllers;
    this.#hasAccounts = hasAccounts;
    for (const { name, grants } of controllers) {
      for (const grant of grants) this.#owners.set(grant, name);
    }
  }

  render(): string {
    const accounts = this.#hasAccounts ? accountsOf(this.#controllers) : [];
    return [
      serviceAccount(managerAccount, this.#hasAccounts ? aboutAccounts : aboutOne) + annotations,
      ...accounts.map((name) => when(this.#controllersOf(name), serviceAccount(name))),
      ...this.#roles(),
    ].join('\n');
  }

  #roles(): string[] {
    const needs = {
      controllers: this.#controllers,
      hasAccounts: this.#hasAccounts,
      hasElection: true,
      hasEvents: true,
    };
    const seen = new Set<string>();
    return rolesFor(needs, lease).flatMap((role) => {
      const key = `${role.namespace}/${role.name}`;
      const isNew = !seen.has(key);
      seen.add(key);
      const users = this.#controllersOf(role.account);
      // Every identity that sends events needs the role for events.
      const rolesUsers = role.scope === 'cluster' ? users : [];
      return [
        ...(isNew ? [when(rolesUsers, this.#role(role))] : []),
        when(users, renderBinding(role)),
      ];
    });
  }

  #controllersOf(account: string | undefined): string[] {
    return this.#controllers
      .filter(({ serviceAccount: own }) => own === account)
      .map(({ name }) => name);
  }

  #role({ kind, name, namespace, rules }: BoundRole): string {
    return `---
apiVersion: ${rbacVersion}
kind: ${kind}
${metadata(name, namespace)}
rules:
${rules.map((rule) => this.#rule(rule)).join('\n')}`;
  }

  #rule({ group, resource, name, needs }: Rule): string {
    const grants = needs[0]?.grants ?? [];
    const verbs = needs.map(({ verb }) => verb).join(', ');
    const text = [
      ...grants.map((grant) => this.#reason(grant)),
      `  - apiGroups: [${group === '' ? "''" : group}]`,
      `    resources: [${resource}]`,
      ...(name === undefined ? [] : [`    resourceNames: [${name}]`]),
      `    verbs: [${verbs}]`,
    ].join('\n');
    return when(this.#needing(grants), text);
  }

  #reason(grant: Grant): string {
    return when(this.#needing([grant]), `  # ${grant.part}: ${grant.purpose}.`);
  }

  /** The controllers that need one of these grants; empty if it is always needed. */
  #needing(grants: readonly Grant[]): string[] {
    const owners = grants.map((grant) => this.#owners.get(grant) ?? this.#ownersOfToken(grant));
    return owners.every((owner) => owner !== undefined) ? owners.flat() : [];
  }

  #ownersOfToken({ scope, name }: Grant): string[] | undefined {
    return scope === 'tokens' && typeof name === 'string' ? this.#controllersOf(name) : undefined;
  }
}

/** The text if one of these controllers is on, or in any case if there are no names. */
function when(names: readonly string[], text: string): string {
  if (names.length === 0) return text;
  const conditions = [...new Set(names)].map((name) => `(index $on "${name}")`);
  const condition = conditions.length === 1 ? conditions[0] : `or ${conditions.join(' ')}`;
  return `{{- if ${condition} }}\n${text}\n{{- end }}`;
}

const rbacVersion = 'rbac.authorization.k8s.io/v1';

function serviceAccount(name: string, about = ''): string {
  return `---
${about}apiVersion: v1
kind: ServiceAccount
${metadata(name, accountNamespace)}`;
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
  readonly about?: string;
}): string {
  const { name, namespace, role, account, about } = options;
  return `---
${about === undefined ? '' : `# ${about}\n`}apiVersion: ${rbacVersion}
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

/** Every cluster has these roles. The secure port always uses the manager's own account. */
const securePort: readonly string[] = [
  bindingOf({
    about: 'The secure port asks the API server who a caller is and what that caller may see.',
    name: 'tandem:cloud-controller-manager:auth-delegator',
    namespace: undefined,
    role: { kind: 'ClusterRole', name: 'system:auth-delegator' },
    account: managerAccount,
  }),
  bindingOf({
    about: 'The secure port reads which authorities vouch for clients and for front proxies.',
    name: 'tandem:cloud-controller-manager:authentication-reader',
    namespace: 'kube-system',
    role: { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    account: managerAccount,
  }),
];

function metadata(name: string, namespace: string | undefined): string {
  const place = namespace === undefined ? '' : `\n  namespace: ${namespace}`;
  const labels = '\n  labels: {{- include "tandem.labels" $ | nindent 4 }}';
  return `metadata:\n  name: ${name}${place}${labels}`;
}
