/**
 * Nobody gives away what they do not have: a role may hold only rules that its writer has, and a
 * binding may name only a role of such rules, unless the writer has the verb `escalate` or `bind` for
 * it. Both are asked of what a write would leave behind.
 */
import {
  describeRule,
  mayDo,
  missingRules,
  type PolicyRule,
  rbacGroup,
  rulesIn,
  rulesOfRole,
  type User,
} from '../access/index.ts';
import { textAt } from '../json/index.ts';
import { isStoredObject, type StoredObject } from '../store/index.ts';
import { answerResource } from './answer-resource.ts';
import type { ApiRequest } from './exchange.ts';
import { refuse, refusals } from './refusal.ts';
import type { ResourceRoute } from './route.ts';
import type { World } from './world.ts';

const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export function refuseEscalation(world: World, route: ResourceRoute, request: ApiRequest): void {
  if (route.resource.group !== rbacGroup || !writes.has(request.method)) return;
  const object = tried(world, route, request);
  if (object === undefined) return;
  if (object['aggregationRule'] !== undefined) {
    refuse(refusals.notImplemented('aggregate cluster roles; list their rules'));
  }
  const { user } = request;
  const isBinding = object['roleRef'] !== undefined;
  const given = isBinding ? rulesOfRole(world.store, object) : rulesIn(object);
  const { namespace = '' } = route;
  const missing = missingRules(world.store, { user, namespace, given });
  if (missing.length === 0 || mayAnyway(world, user, { route, object })) return;
  refuseToGive(route, { user, name: object.metadata.name, missing });
}

/** What the write would leave behind. A write that is no good is refused here already. */
function tried(world: World, route: ResourceRoute, request: ApiRequest): StoredObject | undefined {
  const query = new URLSearchParams(route.query);
  query.set('dryRun', 'All');
  const headers = { ...request.headers, accept: 'application/json' };
  // A getter would be lost in a copy, and no write looks at it.
  const { method, path, body, user, hasStreamingList } = request;
  const signal = new AbortController().signal;
  const copy = { method, path, headers, body, user, hasStreamingList, signal };
  const answer = answerResource(world, { ...route, query }, copy);
  const object: unknown = typeof answer.body === 'string' ? JSON.parse(answer.body) : undefined;
  return isStoredObject(object) ? object : undefined;
}

/** Asked of the role that a binding names, or of the role that the path names: a new one has no name. */
function mayAnyway({ accessRule }: World, user: User, { route, object }: Tried): boolean {
  const { namespace = '', name = '', resource } = route;
  const asked = { kind: 'resource', group: rbacGroup, subresource: '', namespace } as const;
  if (object['roleRef'] === undefined) {
    const escalating = { ...asked, verb: 'escalate', resource: resource.resource, name };
    return mayDo(user, escalating, accessRule);
  }
  const isOfCluster = textAt(object, 'roleRef', 'kind') === 'ClusterRole';
  const role = isOfCluster ? 'clusterroles' : 'roles';
  const binding = { verb: 'bind', resource: role, name: textAt(object, 'roleRef', 'name') };
  return mayDo(user, { ...asked, ...binding }, accessRule);
}

interface Tried {
  readonly route: ResourceRoute;
  readonly object: StoredObject;
}

function refuseToGive(
  { resource }: ResourceRoute,
  {
    user,
    name,
    missing,
  }: {
    readonly user: User;
    readonly name: string;
    readonly missing: readonly PolicyRule[];
  },
): never {
  const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
  const who = `user ${JSON.stringify(user.name)} (groups=[${groups}])`;
  const lines = missing.map(describeRule).join('\n');
  return refuse(
    refusals.forbidden(
      `${resource.resource}.${resource.group} "${name}" is forbidden: ${who} is attempting to grant RBAC permissions not currently held:\n${lines}`,
      { name, group: resource.group, kind: resource.resource },
    ),
  );
}
