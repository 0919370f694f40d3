/**
 * Acting as somebody else, by headers: who is meant, and what whoever asks must be allowed for it. Each
 * name, group, UID and extra value is a thing of its own that has to be granted with the verb
 * `impersonate`; without all of them nothing is done in anybody's name.
 */
import { anonymous, everybody, type ResourceAttributes, type User } from './access.ts';
import { accountOf, groupsOfAccount } from './service-accounts.ts';

export interface Impersonation {
  /** Empty where somebody forgot it; groups and the rest are nobody's then. */
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/** Looked at for every request, and nearly never so. */
export function isImpersonating(headers: Headers): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

/** Undefined where nobody is meant. Names of headers are in lower case. */
export function readImpersonation(headers: Headers): Impersonation | undefined {
  const extras = Object.keys(headers).filter((name) => name.startsWith(extraPrefix));
  const impersonation = {
    name: valuesOf(headers, 'impersonate-user')[0] ?? '',
    groups: valuesOf(headers, 'impersonate-group'),
    uid: valuesOf(headers, 'impersonate-uid')[0] ?? '',
    extra: new Map(
      extras.map((name) => [decoded(name.slice(extraPrefix.length)), valuesOf(headers, name)]),
    ),
  };
  const { name, groups, uid, extra } = impersonation;
  const isNobody = name === '' && groups.length === 0 && uid === '' && extra.size === 0;
  return isNobody ? undefined : impersonation;
}

/** Everything that has to be allowed. */
export function impersonationRights(impersonation: Impersonation): ResourceAttributes[] {
  const { name, groups, uid, extra } = impersonation;
  const account = accountOf(name);
  return [
    account === undefined
      ? right({ resource: 'users', name })
      : right({ resource: 'serviceaccounts', ...account }),
    ...groups.map((group) => right({ resource: 'groups', name: group })),
    ...(uid === '' ? [] : [right({ ...authentication, resource: 'uids', name: uid })]),
    ...[...extra].flatMap(([subresource, values]) =>
      values.map((value) =>
        right({ ...authentication, resource: 'userextras', subresource, name: value }),
      ),
    ),
  ];
}

export function impersonatedUser({ name, groups, uid, extra }: Impersonation): User {
  const account = accountOf(name);
  const given = groups.length === 0 && account !== undefined ? groupsOfAccount(account) : groups;
  return {
    name,
    groups: [...new Set([...given, groupOfAll(name, given)])],
    ...(uid === '' ? {} : { uid }),
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

function groupOfAll(name: string, given: readonly string[]): string {
  const isNobody = name === anonymous.name || given.includes(everybody.unauthenticated);
  return isNobody ? everybody.unauthenticated : everybody.authenticated;
}

const authentication = { group: 'authentication.k8s.io' } as const;

function right(
  thing: Pick<ResourceAttributes, 'resource' | 'name'> & Partial<ResourceAttributes>,
): ResourceAttributes {
  return {
    kind: 'resource',
    verb: 'impersonate',
    group: '',
    subresource: '',
    namespace: '',
    ...thing,
  };
}

function valuesOf(headers: Headers, name: string): readonly string[] {
  const value = headers[name];
  const values = typeof value === 'string' ? [value] : (value ?? []);
  return values.filter((text) => text !== '');
}

/** A key is escaped so that it fits into the name of a header. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
