/**
 * A user and the request that the user makes. Members of `system:masters` may do everything. All others
 * may do what the rule in use says: there are no roles here, and no accounts that are objects.
 */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What a user wants to do, in the terms of access rules. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly kind: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

interface PathAttributes {
  readonly kind: 'path';
  readonly verb: string;
  readonly path: string;
}

export type AccessRule = (user: User, attributes: Attributes) => boolean;

export const masters = 'system:masters';

/** The groups of all identified users, and of all anonymous ones. */
export const everybody = {
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
} as const;

export const admin: User = { name: 'admin', groups: [masters, everybody.authenticated] };

/** Who came without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: [everybody.unauthenticated] };

export function mayDo(user: User, attributes: Attributes, rule: AccessRule): boolean {
  return user.groups.includes(masters) || rule(user, attributes);
}

const healthPaths: ReadonlySet<string> = new Set([
  '/healthz',
  '/livez',
  '/readyz',
  '/version',
  '/version/',
]);
const discoveryPath = /^\/(?:api|apis|openapi)(?:\/|$)/;

/**
 * What a cluster lets everybody do from its first moment: see its health. With credentials one may also
 * see what it serves, and ask who one is and what one may do.
 */
export const firstAccess: AccessRule = (user, attributes) => {
  const isKnown = user.groups.includes(everybody.authenticated);
  if (attributes.kind === 'resource') {
    return isKnown && attributes.verb === 'create' && attributes.resource.startsWith('selfsubject');
  }
  if (attributes.verb !== 'get') return false;
  return healthPaths.has(attributes.path) || (isKnown && discoveryPath.test(attributes.path));
};

/** For a message: `cannot list resource "nodes" in API group "" at the cluster scope`. */
export function describeDenial(user: User, attributes: Attributes): string {
  const who = `User "${user.name}"`;
  if (attributes.kind === 'path') {
    return `forbidden: ${who} cannot ${attributes.verb} path "${attributes.path}"`;
  }
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} "${name}"`;
  const asked = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${subject} is forbidden: ${who} cannot ${verb} resource "${asked}" in API group "${group}" ${where}`;
}
