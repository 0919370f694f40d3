/** Service accounts as users: their name, and the groups that all of them and those of a namespace have. */
import { everybody, type User } from './access.ts';

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

const group = 'system:serviceaccounts';

/** `system:serviceaccount:kube-system:default`. */
export function accountName({ namespace, name }: ServiceAccount): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

export function accountUser(account: ServiceAccount & { readonly uid: string }): User {
  return {
    name: accountName(account),
    groups: [group, `${group}:${account.namespace}`, everybody.authenticated],
    uid: account.uid,
  };
}
