/**
 * Who somebody is and what they may do. The embedded cluster knows the users that it was started with,
 * by token or by certificate; members of `system:masters` may do everything, and others what the rule
 * in use says, which is nothing unless somebody gave one.
 */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What somebody wants to do, as rules of access see it. */
export type Attributes =
  | {
      readonly kind: 'resource';
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly kind: 'path'; readonly verb: string; readonly path: string };

export type AccessRule = (user: User, attributes: Attributes) => boolean;

export const masters = 'system:masters';

export const admin: User = { name: 'admin', groups: [masters, 'system:authenticated'] };

/** Who came without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** These answer anybody, as they do on a kube-apiserver. */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version']);

export function mayDo(user: User, attributes: Attributes, rule: AccessRule): boolean {
  if (user.groups.includes(masters)) return true;
  const isPublic = attributes.kind === 'path' && publicPaths.has(attributes.path);
  return (isPublic && attributes.verb === 'get') || rule(user, attributes);
}

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
