/**
 * Who somebody is and what they want to do. Members of `system:masters` may do everything, whatever
 * the rule in use says; all others what it says, which is what the stored roles and bindings give
 * unless a test brings a rule of its own.
 */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** Of accounts that are objects; others have none. */
  readonly uid?: string;
  /** What else is known of them, of those that somebody else acts for. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What somebody wants to do, as rules of access see it. */
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

export interface PathAttributes {
  readonly kind: 'path';
  readonly verb: string;
  readonly path: string;
}

export type AccessRule = (user: User, attributes: Attributes) => boolean;

export const masters = 'system:masters';

/** The groups of whoever has shown who they are, and of whoever has not. */
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
