/** Answers requests for a resource, verb by verb. */
import type { JsonObject } from '../json/index.ts';
import { type Resource } from '../resources/index.ts';
import type { StoredObject } from '../store/index.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { readDeleteOptions } from './delete-options.ts';
import { isKubernetesPart } from './unserved.ts';
import { type ApiAnswer, type ApiRequest, jsonAnswer, jsonTextAnswer } from './exchange.ts';
import { listObjects } from './list.ts';
import { isWatch, readVersion } from './list-options.ts';
import { chooseForm } from './negotiate.ts';
import { patchedObject, refuseOtherPatch } from './patch.ts';
import { readObject, readWriteOptions, type WriteOptions } from './read-body.ts';
import { refuse, refusals } from './refusal.ts';
import { type Presentation, representList } from './represent.ts';
import type { ResourceRoute } from './route.ts';
import { readSelection } from './selection.ts';
import { refuseOtherName, updateObject } from './update.ts';
import { watchObjects } from './watch.ts';
import { collectionOf, type ApiContext } from './api-context.ts';

export function answerResource(
  context: ApiContext,
  route: ResourceRoute,
  request: ApiRequest,
): ApiAnswer {
  const verb = verbOf(route, request.method);
  refuseImpossible(route, verb);
  const presentation = presentationOf(context, route, request);
  switch (verb) {
    case 'get':
      return respond(context, { status: 200, object: getObject(context, route) }, presentation);
    case 'list':
      return list(context, route, { request, presentation });
    case 'watch':
      return watch(context, route, { request, presentation });
    case 'create':
      return create(context, route, { request, presentation });
    case 'update':
      return update(context, route, { request, presentation });
    case 'patch':
      return patch(context, route, { request, presentation });
    case 'delete':
      return remove(context, route, { request, presentation });
    case 'deletecollection':
      return removeAll(context, route, { request, presentation });
    default:
      return refuse(refusals.methodNotAllowed());
  }
}

/** The verb by which access rules know the request; the method where they have no verb for it. */
export function verbOf({ name, query }: ResourceRoute, method: string): string {
  const isObject = name !== undefined;
  switch (method) {
    case 'GET':
      if (isObject) return 'get';
      return isWatch(query) ? 'watch' : 'list';
    case 'POST':
      return isObject ? 'post' : 'create';
    case 'PUT':
      return isObject ? 'update' : 'put';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return isObject ? 'delete' : 'deletecollection';
    default:
      return method.toLowerCase();
  }
}

interface ResourceRequest {
  readonly request: ApiRequest;
  readonly presentation: Presentation;
}

/** Refuses what can be refused without reading the body. */
function refuseImpossible(route: ResourceRoute, verb: string): void {
  const { resource, namespace, name, subresource } = route;
  if (subresource !== undefined) refusePart(resource, subresource);
  const isNamespaceMissing = resource.scope === 'Namespaced' && namespace === undefined;
  if (isNamespaceMissing && name !== undefined) refuse(refusals.unknownResource());
  const isEverywhere = isNamespaceMissing && !verbsOfMany.has(verb);
  const isPart = subresource !== undefined && !verbsOfParts.has(verb);
  if (isEverywhere || isPart || (verb === 'patch' && name === undefined)) {
    refuse(refusals.methodNotAllowed());
  }
  if (isNamespaceMissing && verb === 'deletecollection') refuse(refusals.methodNotAllowed());
  if (writingVerbs.has(verb) && !resource.verbs.includes(verb)) {
    refuse(refusals.notImplemented(`${verb} ${resource.resource}`));
  }
}

const verbsOfMany: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
const verbsOfParts: ReadonlySet<string> = new Set(['get', 'update', 'patch']);
const writingVerbs: ReadonlySet<string> = new Set([
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]);

function refusePart({ resource, subresources }: Resource, part: string): void {
  if (part === 'status' && subresources.includes(part)) return;
  if (!isKubernetesPart(resource, part)) refuse(refusals.unknownResource());
  refuse(refusals.notImplemented(`support ${resource}/${part}`));
}

function presentationOf(
  context: ApiContext,
  { resource, query, name }: ResourceRoute,
  { headers, method }: ApiRequest,
): Presentation {
  const accept = headers['accept'] ?? '';
  const form = chooseForm(accept);
  const isList = name === undefined && (method === 'GET' || method === 'DELETE') && !isWatch(query);
  if (isList && form === 'metadata' && /as=PartialObjectMetadata(?:;|,|$)/.test(accept)) {
    refuse(
      refusals.notAcceptable(
        'you requested PartialObjectMetadata, but the requested object is a list',
      ),
    );
  }
  const rowObject = form === 'table' ? readRowObject(query) : 'None';
  return { resource, form, nowMs: context.clock.now(), rowObject };
}

function readRowObject(query: URLSearchParams): Presentation['rowObject'] {
  const given = query.get('includeObject') ?? '';
  if (given === 'None' || given === 'Object') return given;
  if (given === '' || given === 'Metadata') return 'Metadata';
  return refuse(
    refusals.badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(given)}: must be 'Metadata', 'Object', 'None', or empty`,
    ),
  );
}

interface Result {
  readonly status: number;
  readonly object: StoredObject;
  readonly warnings?: readonly string[];
}

function respond(
  { jsonCache }: ApiContext,
  { status, object, warnings = [] }: Result,
  presentation: Presentation,
): ApiAnswer {
  const headers =
    warnings.length === 0 ? undefined : { warning: warnings.map(warningOf).join(', ') };
  return jsonTextAnswer(status, jsonCache.of(object, presentation), headers);
}

function warningOf(text: string): string {
  return `299 - ${JSON.stringify(text)}`;
}

function getObject(context: ApiContext, route: ResourceRoute): StoredObject {
  const asked = readVersion(route.query.get('resourceVersion') ?? '', (problem) => ({
    code: 500,
    message: problem,
  }));
  const newest = context.store.version;
  if ((asked ?? 0) > newest) refuse(refusals.versionTooLarge(asked ?? 0, newest));
  return findObject(context, route) ?? refuse(refusals.notFound(route.resource, route.name ?? ''));
}

function findObject(
  context: ApiContext,
  { resource, namespace, name = '' }: ResourceRoute,
): StoredObject | undefined {
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  return collectionOf(context, resource).get(key);
}

function currentObject(context: ApiContext, route: ResourceRoute): StoredObject {
  return findObject(context, route) ?? refuse(refusals.notFound(route.resource, route.name ?? ''));
}

function list(
  context: ApiContext,
  route: ResourceRoute,
  { request, presentation }: ResourceRequest,
): ApiAnswer {
  const { staleVersion } = request;
  const { objects, metadata } = listObjects(context, route, { staleVersion });
  return jsonAnswer(200, representList(objects, presentation, metadata));
}

function watch(context: ApiContext, route: ResourceRoute, asked: ResourceRequest): ApiAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' },
    body: watchObjects(context, route, asked),
  };
}

function create(
  context: ApiContext,
  route: ResourceRoute,
  { request, presentation }: ResourceRequest,
): ApiAnswer {
  const options = readWriteOptions(route.query, 'CreateOptions');
  const shown = readObject(request, route.resource, options);
  const object = createObject(context, route, { shown, options });
  return respond(context, { status: 201, object, warnings: options.warnings }, presentation);
}

function update(
  context: ApiContext,
  route: ResourceRoute,
  { request, presentation }: ResourceRequest,
): ApiAnswer {
  const options = readWriteOptions(route.query, 'UpdateOptions');
  const { warnings } = options;
  const shown = readObject(request, route.resource, options);
  refuseOtherName(route, shown);
  const current = findObject(context, route);
  if (current === undefined) {
    const created = createByUpdate(context, route, { shown, options });
    return respond(context, { status: 201, object: created, warnings }, presentation);
  }
  const object = updateObject(context, route, { current, shown, options, method: 'PUT' });
  return respond(context, { status: 200, object, warnings }, presentation);
}

function createByUpdate(
  context: ApiContext,
  route: ResourceRoute,
  { shown, options }: { readonly shown: JsonObject; readonly options: WriteOptions },
): StoredObject {
  const { resource, name = '' } = route;
  if (!resource.createsOnUpdate || route.subresource !== undefined) {
    refuse(refusals.notFound(resource, name));
  }
  return createObject(context, route, { shown, options });
}

function patch(
  context: ApiContext,
  route: ResourceRoute,
  { request, presentation }: ResourceRequest,
): ApiAnswer {
  const options = readWriteOptions(route.query, 'PatchOptions');
  refuseOtherPatch(request);
  const current = currentObject(context, route);
  const shown = patchedObject(route.resource, current, { request, options });
  const object = updateObject(context, route, { current, shown, options, method: 'PATCH' });
  return respond(context, { status: 200, object, warnings: options.warnings }, presentation);
}

function remove(
  context: ApiContext,
  route: ResourceRoute,
  { request, presentation }: ResourceRequest,
): ApiAnswer {
  const options = readDeleteOptions(request, route.query);
  const current = currentObject(context, route);
  const deleted = deleteObject(context, route.resource, { current, options });
  if (deleted.kind === 'marked') {
    return respond(context, { status: 200, object: deleted.object }, presentation);
  }
  return jsonAnswer(200, successOf(route.resource, current));
}

function successOf({ resource, group }: Resource, { metadata }: StoredObject): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadata.name,
      ...(group === '' ? {} : { group }),
      kind: resource,
      uid: metadata.uid,
    },
  };
}

function removeAll(
  context: ApiContext,
  route: ResourceRoute,
  { request, presentation }: ResourceRequest,
): ApiAnswer {
  const options = readDeleteOptions(request, route.query);
  const { matches } = readSelection(route);
  const doomed = collectionOf(context, route.resource).list().filter(matches);
  const deleted = doomed.map(
    (current) => deleteObject(context, route.resource, { current, options }).object,
  );
  const metadata = { resourceVersion: String(context.store.version) };
  return jsonAnswer(200, representList(deleted, presentation, metadata));
}
