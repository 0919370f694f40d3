/** A request in somebody else's name, once it is sure that whoever sends it may act for them. */
import {
  impersonatedUser,
  type Impersonation,
  impersonationRights,
  mayDo,
} from '../access/index.ts';
import type { ApiRequest } from './exchange.ts';
import { refuse, refusals } from './refusal.ts';
import { refuseAccess } from './refuse-access.ts';
import type { World } from './world.ts';

export function impersonated(
  world: World,
  request: ApiRequest,
  impersonation: Impersonation,
): ApiRequest {
  if (impersonation.name === '') {
    refuse(refusals.badRequest('requested impersonation without a user name'));
  }
  for (const right of impersonationRights(impersonation)) {
    if (!mayDo(request.user, right, world.accessRule)) refuseAccess(request.user, right);
  }
  const { method, path, headers, body, staleVersion, hasStreamingList } = request;
  return {
    method,
    path,
    headers,
    body,
    staleVersion,
    hasStreamingList,
    user: impersonatedUser(impersonation),
    // Only a watch looks at it, and making one is not cheap.
    get signal() {
      return request.signal;
    },
  };
}
