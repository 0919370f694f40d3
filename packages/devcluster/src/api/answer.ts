/**
 * Answers one request: checks access, finds the target, carries the request out. This is the one place where
 * refusals become answers. It uses no socket and waits for nothing, so that the same code serves
 * HTTPS and virtual time.
 */
import { type Attributes, describeDenial, mayDo } from '../access/index.ts';
import type { JsonObject } from '../json/index.ts';
import { aggregatedMedia, findDocument, isAggregatedDocument } from './discovery.ts';
import { type ApiAnswer, type ApiRequest, bodyBytesMax, jsonAnswer } from './exchange.ts';
import { answerResource } from './answer-resource.ts';
import { attributesOf, readRequestTarget } from './request-target.ts';
import { readObject, readWriteOptions } from './read-body.ts';
import { refuse, RefusedError, refusals, statusOf } from './refusal.ts';
import type { Review } from './reviews.ts';
import type { ApiContext } from './api-context.ts';

export function answer(context: ApiContext, request: ApiRequest): ApiAnswer {
  try {
    return answerOrRefuse(context, request);
  } catch (err) {
    if (!(err instanceof RefusedError)) throw err;
    const { refusal } = err;
    const seconds = refusal.details?.['retryAfterSeconds'];
    const headers: Record<string, string> =
      typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
    return jsonAnswer(refusal.code, statusOf(refusal), headers);
  }
}

function answerOrRefuse(context: ApiContext, request: ApiRequest): ApiAnswer {
  if (request.body.length > bodyBytesMax) refuse(refusals.tooLarge(bodyBytesMax));
  const target = readRequestTarget(request);
  refuseDenied(request, attributesOf(target, request));
  switch (target.kind) {
    case 'review':
      return answerReview(context, request, target.review);
    case 'resource':
      return answerResource(context, target, request);
    case 'page':
      return answerPage(request, target.path);
    case 'unserved': {
      const { resource, group } = target;
      const what = group === '' ? resource : `${resource} of ${group}`;
      return refuse(refusals.notImplemented(`support ${what}`));
    }
    case 'unknown':
      return target.isOfGroup ? refuse(refusals.unknownResource()) : pageNotFound;
    default:
      return target satisfies never;
  }
}

const pageNotFound: ApiAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '404 page not found\n',
};

const healthPages: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

function answerPage(request: ApiRequest, path: string): ApiAnswer {
  if (request.method !== 'GET') refuse(refusals.methodNotAllowed());
  if (healthPages.has(path)) {
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' };
  }
  if (path === '/openapi/v2') refuse(refusals.notImplemented('serve OpenAPI v2; use /openapi/v3'));
  const document = findDocument(path, request.headers['accept'] ?? '');
  if (document === undefined) return pageNotFound;
  const headers: Record<string, string> = isAggregatedDocument(document)
    ? { 'content-type': aggregatedMedia }
    : {};
  return jsonAnswer(200, document, headers);
}

function answerReview(context: ApiContext, request: ApiRequest, review: Review): ApiAnswer {
  const { group, kind, version } = review;
  if (request.method !== 'POST') refuse(refusals.methodNotAllowed());
  const options = readWriteOptions(queryOf(request), 'CreateOptions');
  const question = readObject(request, review, options);
  const result: JsonObject = {
    kind,
    apiVersion: `${group}/${version}`,
    ...review.answer(context, question, request.user),
  };
  return jsonAnswer(201, result);
}

function queryOf({ path }: ApiRequest): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}

/** The refusal names the right that the user lacks. */
function refuseDenied({ user }: ApiRequest, attributes: Attributes): void {
  if (mayDo(user, attributes)) return;
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
