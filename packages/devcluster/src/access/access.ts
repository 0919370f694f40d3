/**
 * A user of the embedded API server. Members of `system:masters` may do everything. All others may only
 * read the health and the version of the server: it has no roles and no service accounts.
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

export const masters = 'system:masters';

export const admin: User = { name: 'admin', groups: [masters, 'system:authenticated'] };

/** The user of requests without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

export function mayDo(user: User, attributes: Attributes): boolean {
  if (user.groups.includes(masters)) return true;
  const { kind, verb } = attributes;
  return kind === 'path' && verb === 'get' && openPaths.has(attributes.path);
}

const openPaths: ReadonlySet<string> = new Set([
  '/healthz',
  '/livez',
  '/readyz',
  '/version',
  '/version/',
]);

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
