/**
 * Answers one request: who may do it, what it means, what comes of it. This is the one place where
 * refusals become answers. It touches no socket and waits for nothing, so that the same code serves
 * HTTPS and virtual time.
 */
import { type Attributes, describeDenial, mayDo } from '../access/index.ts';
import type { JsonObject } from '../json/index.ts';
import { aggregatedMedia, findDocument, isAggregatedDocument } from './discovery.ts';
import { type ApiAnswer, type ApiRequest, bodyBytesMax } from './exchange.ts';
import { answerResource, verbOf } from './answer-resource.ts';
import { jsonAnswer } from './json-answer.ts';
import { readObject, readWriteOptions } from './read-body.ts';
import { refuse, RefusedError, refusals, statusOf } from './refusal.ts';
import { findReview, type Review } from './reviews.ts';
import { readRoute, type ResourceRoute } from './route.ts';
import type { World } from './world.ts';

export function answer(world: World, request: ApiRequest): ApiAnswer {
  try {
    return answerOrRefuse(world, request);
  } catch (err) {
    if (!(err instanceof RefusedError)) throw err;
    const { refusal } = err;
    const seconds = refusal.details?.['retryAfterSeconds'];
    const headers: Record<string, string> =
      typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
    return jsonAnswer(refusal.code, statusOf(refusal), headers);
  }
}

function answerOrRefuse(world: World, request: ApiRequest): ApiAnswer {
  if (request.body.length > bodyBytesMax) refuse(refusals.tooLarge(bodyBytesMax));
  const path = request.path.split('?')[0] ?? '';
  const review = findReview(path);
  if (review !== undefined) return answerReview(world, request, review);
  const route = readRoute(request.path);
  switch (route.kind) {
    case 'resource':
      refuseDenied(world, request, attributesOf(route, request.method));
      return answerResource(world, route, request);
    case 'page':
      return answerPage(world, request, route.path);
    case 'elsewhere': {
      const { resource, group } = route;
      refuseDenied(world, request, nameless({ verb: 'get', group, resource }));
      const what = group === '' ? resource : `${resource} of ${group}`;
      return refuse(refusals.notImplemented(`have ${what}`));
    }
    case 'unknown':
      refuseDenied(world, request, { kind: 'path', verb: request.method.toLowerCase(), path });
      return route.isOfGroup ? refuse(refusals.unknownResource()) : pageNotFound;
    default:
      return route satisfies never;
  }
}

const pageNotFound: ApiAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '404 page not found\n',
};

const healthPages: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

function answerPage(world: World, request: ApiRequest, path: string): ApiAnswer {
  const verb = request.method.toLowerCase();
  refuseDenied(world, request, { kind: 'path', verb, path });
  if (request.method !== 'GET') refuse(refusals.methodNotAllowed());
  if (healthPages.has(path)) {
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' };
  }
  if (path === '/openapi/v2') refuse(refusals.notImplemented('write OpenAPI v2; use /openapi/v3'));
  const document = findDocument(path, request.headers['accept'] ?? '');
  if (document === undefined) return pageNotFound;
  const headers: Record<string, string> = isAggregatedDocument(document)
    ? { 'content-type': aggregatedMedia }
    : {};
  return jsonAnswer(200, document, headers);
}

function answerReview(world: World, request: ApiRequest, review: Review): ApiAnswer {
  const { group, resource, kind, version } = review;
  refuseDenied(world, request, nameless({ verb: 'create', group, resource }));
  if (request.method !== 'POST') refuse(refusals.methodNotAllowed());
  const options = readWriteOptions(queryOf(request), 'CreateOptions');
  const question = readObject(request, review, options);
  const result: JsonObject = {
    kind,
    apiVersion: `${group}/${version}`,
    ...review.answer(world, question, request.user),
  };
  return jsonAnswer(201, result);
}

function queryOf({ path }: ApiRequest): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}

function refuseDenied(world: World, { user }: ApiRequest, attributes: Attributes): void {
  if (mayDo(user, attributes, world.accessRule)) return;
  const details =
    attributes.kind === 'path'
      ? {}
      : {
          ...(attributes.name === '' ? {} : { name: attributes.name }),
          ...(attributes.group === '' ? {} : { group: attributes.group }),
          kind: attributes.resource,
        };
  refuse(refusals.forbidden(describeDenial(user, attributes), details));
}

function attributesOf(route: ResourceRoute, method: string): Attributes {
  const { resource, namespace = '', name = '', subresource = '' } = route;
  return {
    kind: 'resource',
    verb: verbOf(route, method),
    group: resource.group,
    resource: resource.resource,
    subresource,
    namespace,
    name,
  };
}

function nameless(
  attributes: Pick<Attributes & { kind: 'resource' }, 'verb' | 'group' | 'resource'>,
): Attributes {
  return { kind: 'resource', ...attributes, subresource: '', namespace: '', name: '' };
}
