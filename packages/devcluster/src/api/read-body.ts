/** Reads the bodies of writes: JSON for an object of one kind, or for the options of a deletion. */
import {
  isJson,
  isJsonObject,
  type Json,
  type JsonObject,
  nestingDepth,
  textAt,
} from '../json/index.ts';
import { memoize } from '../memoize/index.ts';
import {
  type FieldError,
  invalid,
  notSupported,
  type Resource,
  tooLong,
} from '../resources/index.ts';
import { decode } from '../schema/index.ts';
import { type ApiRequest, bodyBytesMax } from './exchange.ts';
import { type Refusal, refuse, refusals } from './refusal.ts';

/** How unknown fields are handled. */
type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Collects the warnings for the answer. */
  readonly warnings: string[];
}

const validations = ['', 'Ignore', 'Warn', 'Strict'];
const managerBytesMax = 128;

export function readWriteOptions(query: URLSearchParams, kind: string): WriteOptions {
  if (query.size === 0) return { ...noOptions, warnings: [] };
  const validation = query.get('fieldValidation') ?? '';
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const errors = [
    ...managerErrors(query.get('fieldManager') ?? ''),
    ...dryRunErrors(dryRun),
    ...(validations.includes(validation)
      ? []
      : [notSupported('fieldValidation', validation, validations)]),
  ];
  if (errors.length > 0) refuse(refusals.invalidOptions(kind, errors));
  return {
    isDryRun: dryRun.length > 0,
    fieldValidation: validation === 'Ignore' || validation === 'Strict' ? validation : 'Warn',
    warnings: [],
  };
}

const noOptions = { isDryRun: false, fieldValidation: 'Warn' } as const;

export function dryRunErrors(values: readonly string[]): FieldError[] {
  const isKnown = values.every((value) => value === 'All');
  return isKnown ? [] : [notSupported('dryRun', values, ['All'])];
}

const managerErrors: (manager: string) => readonly FieldError[] = memoize((manager) => {
  const field = 'fieldManager';
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(manager);
  return [
    ...(Buffer.byteLength(manager) > managerBytesMax ? [tooLong(field, managerBytesMax)] : []),
    ...(odd === null
      ? []
      : [invalid(field, manager, `invalid character (at position ${odd.index})`)]),
  ];
});

/** The object of a create or an update, in the view of the resource and without kind and apiVersion. */
export function readObject(
  { headers, body }: ApiRequest,
  resource: Pick<Resource, 'kind' | 'group' | 'version' | 'schema'>,
  options: WriteOptions,
): JsonObject {
  refuseOtherMedia(headers['content-type'] ?? '');
  const { kind } = resource;
  const value = parseBody(body, (problem) =>
    refusals.badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${problem}`,
    ),
  );
  if (value !== null) refuseOtherKind(value, resource);
  const decoded = decode(resource.schema, value ?? {});
  const unfit = (problem: string): Refusal =>
    refusals.badRequest(
      `${kind} in version "${resource.version}" cannot be handled as a ${kind}: ${problem}`,
    );
  if (decoded.kind === 'malformed') return refuse(unfit(decoded.problem));
  noteUnknownFields(decoded.unknown, options, (problem) =>
    unfit(`strict decoding error: ${problem}`),
  );
  return decoded.value;
}

/**
 * Refuses fields that the schema does not have, or warns of them. Duplicate fields pass, because kubectl joins
 * them before it sends an object.
 */
export function noteUnknownFields(
  unknown: readonly string[],
  { fieldValidation, warnings }: WriteOptions,
  refusalFor: (problem: string) => Refusal,
): void {
  if (fieldValidation === 'Ignore' || unknown.length === 0) return;
  const problems = unknown.map((path) => `unknown field "${path}"`);
  if (fieldValidation === 'Strict') refuse(refusalFor(problems.join(', ')));
  warnings.push(...problems);
}

export function parseBody(text: string, refusalFor: (problem: string) => Refusal): Json {
  // A UTF-16 unit takes at most three bytes of UTF-8.
  const isNear = text.length * 3 > bodyBytesMax;
  if (isNear && Buffer.byteLength(text) > bodyBytesMax) refuse(refusals.tooLarge(bodyBytesMax));
  refuseDeepNesting(text, refusalFor);
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch (err) {
    return refuse(refusalFor(err instanceof SyntaxError ? err.message : 'no JSON'));
  }
}

/** How deep JSON may be nested, for a kube-apiserver and for the embedded server. */
const depthMax = { upstream: 10_000, here: 500 };

function refuseDeepNesting(text: string, refusalFor: (problem: string) => Refusal): void {
  const depth = nestingDepth(text, depthMax.here);
  if (depth <= depthMax.here) return;
  if (depth > depthMax.upstream) refuse(refusalFor('exceeded max depth'));
  refuse(refusals.notImplemented(`read JSON nested more than ${depthMax.here} levels deep`));
}

export const protobufMedia = 'application/vnd.kubernetes.protobuf';

export function refuseOtherMedia(contentType: string): void {
  const media = mediaOf(contentType);
  if (media === '' || media === 'application/json') return;
  if (media === protobufMedia || media === 'application/yaml') {
    refuse(refusals.notImplemented(`read ${media}; send application/json`));
  }
  refuse({
    code: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json',
  });
}

function refuseOtherKind(
  value: Json,
  resource: Pick<Resource, 'kind' | 'group' | 'version' | 'schema'>,
): asserts value is JsonObject {
  const { kind, version } = resource;
  if (!isJsonObject(value)) {
    refuse(
      refusals.badRequest(
        `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: the body is not a JSON object`,
      ),
    );
  }
  const wanted = resource.group === '' ? version : `${resource.group}/${version}`;
  const given = {
    kind: textAt(value, 'kind') || kind,
    apiVersion: textAt(value, 'apiVersion') || wanted,
  };
  if (given.kind === kind && given.apiVersion === wanted) return;
  refuse(
    refusals.badRequest(
      `${given.kind} in version "${given.apiVersion}" cannot be handled as a ${kind}: expected kind "${kind}" of version "${wanted}"`,
    ),
  );
}

export const mediaOf: (contentType: string) => string = memoize((contentType) =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase(),
);
