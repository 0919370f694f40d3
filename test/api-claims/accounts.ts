/** Service accounts of claims' own, with roles of their own, and what they are allowed by these. */
import assert from 'node:assert/strict';
import type { Answer, Session } from './session.ts';

export const rbac = '/apis/rbac.authorization.k8s.io/v1';
export const clusterRoles: string = `${rbac}/clusterroles`;
export const clusterRoleBindings: string = `${rbac}/clusterrolebindings`;
export const rolesIn = (namespace: string): string => `${rbac}/namespaces/${namespace}/roles`;
export const roleBindingsIn = (namespace: string): string =>
  `${rbac}/namespaces/${namespace}/rolebindings`;
export const accounts = '/api/v1/namespaces/default/serviceaccounts';

export interface Account {
  readonly name: string;
  readonly uid: string;
  readonly username: string;
  readonly token: string;
  readonly api: Session;
  /** As bindings name it. */
  readonly subject: object;
}

export async function anAccount(api: Session, name: string = api.name()): Promise<Account> {
  const body = { metadata: { name } };
  const { metadata } = (await api.want(201, { method: 'POST', path: accounts, body })).body;
  const path = `${accounts}/${name}/token`;
  const { status } = (await api.want(201, { method: 'POST', path, body: { spec: {} } })).body;
  return {
    name,
    uid: metadata.uid,
    username: `system:serviceaccount:default:${name}`,
    token: status.token,
    api: api.as(status.token),
    subject: { kind: 'ServiceAccount', name, namespace: 'default' },
  };
}

/** Gives rules to subjects, in a namespace or everywhere, by a new cluster role; gives its name. */
export async function grant(
  api: Session,
  rules: readonly object[],
  { to, namespace }: { readonly to: readonly object[]; readonly namespace?: string },
): Promise<string> {
  const name = `${api.name()}:role`;
  const metadata = { name };
  await api.want(201, { method: 'POST', path: clusterRoles, body: { metadata, rules } });
  const path = namespace === undefined ? clusterRoleBindings : roleBindingsIn(namespace);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  await api.want(201, { method: 'POST', path, body: { metadata, roleRef, subjects: to } });
  return name;
}

/** `nodes/status` of the core group, of `leases.coordination.k8s.io` and so on. */
export interface Wanted {
  readonly verb: string;
  readonly resource?: string;
  readonly group?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What the server says that somebody may do. */
export async function isAllowed(api: Session, wanted: Wanted): Promise<boolean> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const body = { spec: { resourceAttributes: { resource: 'nodes', ...wanted } } };
  return (await api.want(201, { method: 'POST', path, body })).body.status.allowed;
}

/** Roles count a moment after they are written: whoever decides learns of them by a watch. */
export async function untilAllowed(api: Session, wanted: Wanted, want = true): Promise<void> {
  for (let tries = 0; (await isAllowed(api, wanted)) !== want; tries += 1) {
    assert.ok(tries < 200, `${JSON.stringify(wanted)} is ${want ? 'not' : 'still'} allowed`);
    await api.elapse(50);
  }
}

/** The message of a refusal for want of a right, and what its details name. */
export function denialOf({ status, body }: Answer): unknown[] {
  const { message, reason, details } = body;
  return [status, reason, message, details];
}
