/** Tokens of service accounts, issued on request: for the API server itself, and for a while. */
import { at, isJsonObject, textsAt } from '../json/index.ts';
import { type FieldError, invalid, type Resource } from '../resources/index.ts';
import { formatTime, tokenRequest } from '../schema/index.ts';
import type { ApiAnswer, ApiRequest } from './exchange.ts';
import { jsonAnswer } from './json-answer.ts';
import { readObject, readWriteOptions } from './read-body.ts';
import { refuse, refusals } from './refusal.ts';
import type { ResourceRoute } from './route.ts';
import { collectionOf, type World } from './world.ts';

type Kind = Pick<Resource, 'group' | 'version' | 'kind' | 'schema'>;

/** Whom the tokens of this server are for. */
export const audience = 'https://kubernetes.default.svc';

export const tokenRequestKind: Kind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  schema: tokenRequest,
};

const seconds = { default: 3_600, min: 600, max: 2 ** 32 } as const;

export function answerTokenRequest(
  world: World,
  route: ResourceRoute,
  request: ApiRequest,
): ApiAnswer {
  if (request.method !== 'POST') refuse(refusals.methodNotAllowed());
  const options = readWriteOptions(route.query, 'CreateOptions');
  const { spec } = readObject(request, tokenRequestKind, options);
  const { namespace = '', name = '', resource } = route;
  const account = collectionOf(world, resource).get(`${namespace}/${name}`);
  if (account === undefined) return refuse(refusals.notFound(resource, name));
  const expirationSeconds = readExpiration(at(spec, 'expirationSeconds') ?? seconds.default);
  refuseOtherEnds(spec);
  const token = world.ids.uuid();
  const expiresAtMs = world.clock.now() + expirationSeconds * 1_000;
  const { uid } = account.metadata;
  if (!options.isDryRun)
    world.tokens.issue(token, { account: { namespace, name, uid }, expiresAtMs });
  return jsonAnswer(201, {
    kind: tokenRequestKind.kind,
    apiVersion: `${tokenRequestKind.group}/${tokenRequestKind.version}`,
    metadata: { name, namespace, creationTimestamp: formatTime(world.clock.now()) },
    spec: { audiences: [audience], expirationSeconds, boundObjectRef: null },
    status: { token, expirationTimestamp: formatTime(expiresAtMs) },
  });
}

function readExpiration(given: unknown): number {
  const value = typeof given === 'number' ? given : seconds.default;
  const field = 'spec.expirationSeconds';
  if (value < seconds.min) {
    refuseFields([invalid(field, value, 'may not specify a duration less than 10 minutes')]);
  }
  if (value > seconds.max) {
    refuseFields([invalid(field, value, 'may not specify a duration larger than 2^32 seconds')]);
  }
  return value;
}

/** Tokens for somebody else, or that end with another object, are not issued. */
function refuseOtherEnds(spec: unknown): void {
  const audiences = textsAt(spec, 'audiences');
  if (audiences.some((other) => other !== audience)) {
    refuse(refusals.notImplemented(`issue tokens for audiences other than ${audience}`));
  }
  if (isJsonObject(at(spec, 'boundObjectRef'))) {
    refuse(refusals.notImplemented('issue tokens bound to another object'));
  }
}

function refuseFields(causes: readonly FieldError[]): never {
  const told = causes.map(({ field, message }) => `${field}: ${message}`).join(', ');
  const { group, kind } = tokenRequestKind;
  return refuse({
    code: 422,
    reason: 'Invalid',
    message: `${kind}.${group} "" is invalid: ${told}`,
    details: { group, kind, causes: causes.map((cause) => ({ ...cause })) },
  });
}
