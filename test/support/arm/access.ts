/** Who may call: one who brings a token for this ARM, for the actions that the role allows. */
import { ArmError, resourceGroupNotFound, subscriptionNotFound } from './error.ts';
import { groupId, keyOf } from './ids.ts';
import type { ArmRequest } from './request.ts';
import type { ArmState } from './state.ts';

export interface Issuer {
  readonly url: string;
  /** What is wrong with a token; undefined where it is good. */
  problemOf(token: string): 'unknown' | 'expired' | 'audience' | undefined;
}

export function requireToken({ headers }: Pick<ArmRequest, 'headers'>, issuer: Issuer): void {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) {
    const message = "Authentication failed. The 'Authorization' header is missing.";
    throw unauthorized('AuthenticationFailed', message, issuer);
  }
  switch (issuer.problemOf(token)) {
    case undefined:
      return;
    case 'unknown':
      throw unauthorized('InvalidAuthenticationToken', 'The access token is invalid.', issuer);
    case 'expired':
      throw unauthorized(
        'ExpiredAuthenticationToken',
        'The access token expiry UTC time is earlier than current UTC time.',
        issuer,
      );
    case 'audience': {
      const message = 'The access token has been obtained for wrong audience or resource.';
      throw unauthorized('InvalidAuthenticationTokenAudience', message, issuer);
    }
  }
}

function unauthorized(code: string, message: string, { url }: Issuer): ArmError {
  const headers = {
    'www-authenticate': `Bearer authorization_uri="${url}/tenant", error="invalid_token", error_description="${message}"`,
  };
  return new ArmError(code, message, { status: 401, headers });
}

export function requireActions(request: ArmRequest, denied: ReadonlySet<string>): void {
  const action = request.actions.find((each) => denied.has(each));
  if (action === undefined) return;
  const scope = request.path;
  const message = `The client 'client' with object id 'object' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`;
  throw new ArmError('AuthorizationFailed', message, { status: 403 });
}

export function requirePlace({ parts }: ArmRequest, state: ArmState): void {
  const { subscription, resourceGroup } = parts;
  if (subscription === undefined) return;
  if (!state.subscriptions.has(keyOf(subscription))) throw subscriptionNotFound(subscription);
  if (resourceGroup === undefined) return;
  if (state.resourceGroups.has(keyOf(groupId({ subscription, resourceGroup })))) return;
  throw resourceGroupNotFound(resourceGroup);
}
