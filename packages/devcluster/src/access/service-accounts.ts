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

/** The account of that name; undefined for whoever is none. */
export function accountOf(name: string): ServiceAccount | undefined {
  const match = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  return match === null ? undefined : { namespace: match[1] ?? '', name: match[2] ?? '' };
}

export function groupsOfAccount({ namespace }: ServiceAccount): string[] {
  return [group, `${group}:${namespace}`];
}

export function accountUser(account: ServiceAccount & { readonly uid: string }): User {
  return {
    name: accountName(account),
    groups: [...groupsOfAccount(account), everybody.authenticated],
    uid: account.uid,
  };
}
