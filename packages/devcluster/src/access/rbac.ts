/**
 * Role-based access control over what the store holds: the rules that somebody has in a namespace, or
 * in the cluster as a whole, by the bindings that name them. A binding whose role is not there gives
 * nothing. Nothing is remembered between two questions, so that a change counts at once.
 */
import { listAt, textAt } from '../json/index.ts';
import type { Store, StoredObject } from '../store/index.ts';
import { type AccessRule, type Attributes, masters, type User } from './access.ts';
import { permits, type PolicyRule, readPolicyRule, uncovered } from './policy-rule.ts';
import { accountName } from './service-accounts.ts';

/** The group of roles and bindings. */
export const rbacGroup = 'rbac.authorization.k8s.io';

export function rbacRule(store: Store): AccessRule {
  return (user, attributes) => {
    for (const rule of rulesOf(store, user, namespaceOf(attributes))) {
      if (permits(rule, attributes)) return true;
    }
    return false;
  };
}

function namespaceOf(attributes: Attributes): string {
  return attributes.kind === 'resource' ? attributes.namespace : '';
}

/** What of these rules somebody could not give away because they do not have it themselves. */
export function missingRules(
  store: Store,
  {
    user,
    namespace,
    given,
  }: {
    readonly user: User;
    readonly namespace: string;
    readonly given: readonly PolicyRule[];
  },
): PolicyRule[] {
  if (user.groups.includes(masters)) return [];
  return uncovered([...rulesOf(store, user, namespace)], given);
}

/** The rules of the role that a binding names, in a namespace or in none. */
export function rulesOfRole(store: Store, binding: StoredObject): PolicyRule[] {
  const name = textAt(binding, 'roleRef', 'name');
  const { namespace = '' } = binding.metadata;
  const role =
    textAt(binding, 'roleRef', 'kind') === 'ClusterRole'
      ? store.collection('clusterroles').get(name)
      : store.collection('roles').get(`${namespace}/${name}`);
  return role === undefined ? [] : rulesIn(role);
}

export function rulesIn(role: StoredObject): PolicyRule[] {
  return listAt(role, 'rules').map(readPolicyRule);
}

/** What somebody has in a namespace, or in the cluster as a whole where it is empty. */
export function* rulesOf(store: Store, user: User, namespace: string): Generator<PolicyRule> {
  for (const binding of store.collection('clusterrolebindings').list()) {
    if (names(binding, user)) yield* rulesOfRole(store, binding);
  }
  if (namespace === '') return;
  for (const binding of store.collection('rolebindings').list()) {
    const isHere = binding.metadata.namespace === namespace;
    if (isHere && names(binding, user)) yield* rulesOfRole(store, binding);
  }
}

function names(binding: StoredObject, user: User): boolean {
  return listAt(binding, 'subjects').some((subject) => {
    const name = textAt(subject, 'name');
    switch (textAt(subject, 'kind')) {
      case 'User':
        return user.name === name;
      case 'Group':
        return user.groups.includes(name);
      case 'ServiceAccount':
        return user.name === accountName({ namespace: textAt(subject, 'namespace'), name });
      default:
        return false;
    }
  });
}
