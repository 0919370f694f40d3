/** The three kinds of patches. The result is decoded again by the schema of its kind. */
import {
  applyJsonPatch,
  applyMergePatch,
  isJsonObject,
  type Json,
  type JsonObject,
  readOperations,
  textAt,
} from '../json/index.ts';
import { type Resource, shown } from '../resources/index.ts';
import { applyStrategicMerge, decode, StrategicMergeError } from '../schema/index.ts';
import type { StoredObject } from '../store/index.ts';
import type { ApiRequest } from './exchange.ts';
import { mediaOf, noteUnknownFields, parseBody, type WriteOptions } from './read-body.ts';
import { refuse, refusals } from './refusal.ts';

/** More operations than this are a mistake or an attack; a kube-apiserver has the same limit. */
const operationsMax = 10_000;

export function patchedObject(
  resource: Resource,
  current: StoredObject,
  { request, options }: { readonly request: ApiRequest; readonly options: WriteOptions },
): JsonObject {
  const document = shown(resource, current);
  const patched = applyPatch(resource, document, request);
  if (patched === undefined) return refuse(refusals.failedPatch());
  refuseOtherType(document, patched);
  const decoded = decode(resource.schema, patched, document);
  if (decoded.kind === 'malformed') {
    return refuse(refusals.invalidPatch(patched, decoded.problem));
  }
  noteUnknownFields(decoded.unknown, options, (problem) =>
    refusals.invalidPatch(patched, `strict decoding error: ${problem}`),
  );
  return decoded.value;
}

/** If a patch removes the kind, the kind of the path counts. Without an apiVersion, no client could read the object. */
function refuseOtherType(document: JsonObject, patched: Json): void {
  if (isJsonObject(patched)) {
    const { kind = document['kind'], apiVersion = '' } = patched;
    if (apiVersion === '') {
      refuse(
        refusals.badRequest(
          `the name of the object (${textAt(document, 'metadata', 'name')} based on URL) was undeterminable: name must be provided`,
        ),
      );
    }
    const isOfKind = kind === document['kind'] || kind === '' || kind === null;
    if (isOfKind && apiVersion === document['apiVersion']) return;
  }
  refuse(refusals.invalidPatch(patched, 'the patched object is of another kind'));
}

/** Refuses patches that this server does not apply, before it looks up the object. */
export function refuseOtherPatch({ headers }: ApiRequest): void {
  switch (mediaOf(headers['content-type'] ?? '')) {
    case 'application/json-patch+json':
    case 'application/merge-patch+json':
    case 'application/strategic-merge-patch+json':
      return;
    case 'application/apply-patch+yaml':
    case 'application/apply-patch+cbor':
      return refuse(
        refusals.notImplemented('apply patches; use a merge, strategic merge or JSON patch'),
      );
    default:
      return refuse(refusals.unsupportedMediaType('415: Unsupported Media Type'));
  }
}

function applyPatch(
  resource: Resource,
  document: JsonObject,
  { headers, body }: ApiRequest,
): Json | undefined {
  const media = mediaOf(headers['content-type'] ?? '');
  switch (media) {
    case 'application/json-patch+json':
      return jsonPatched(document, body);
    case 'application/merge-patch+json':
      return applyMergePatch(document, readPatchObject(body, 'error decoding patch: '));
    default:
      return strategicallyMerged(
        resource,
        document,
        readPatchObject(body === 'null' ? '{}' : body, ''),
      );
  }
}

function jsonPatched(document: JsonObject, body: string): Json | undefined {
  const value = parseBody(body, (problem) =>
    refusals.badRequest(`error decoding patch: ${problem}`),
  );
  const operations = readOperations(value ?? []);
  if (operations === undefined) {
    return refuse(
      refusals.badRequest('error decoding patch: the patch is not a list of operations'),
    );
  }
  if (operations.length > operationsMax) {
    refuse({
      ...refusals.tooLarge(operationsMax),
      message: `The allowed maximum operations in a JSON patch is ${operationsMax}, got ${operations.length}`,
    });
  }
  return applyJsonPatch(document, operations);
}

function strategicallyMerged(
  { schema }: Resource,
  document: JsonObject,
  patch: JsonObject,
): JsonObject {
  try {
    return applyStrategicMerge(schema, document, patch);
  } catch (err) {
    if (err instanceof StrategicMergeError) return refuse({ code: 500, message: err.message });
    throw err;
  }
}

function readPatchObject(body: string, prefix: string): JsonObject {
  const value = parseBody(body, (problem) => refusals.badRequest(`${prefix}${problem}`));
  if (isJsonObject(value)) return value;
  return refuse(refusals.badRequest(`${prefix}the patch is not a JSON object`));
}
