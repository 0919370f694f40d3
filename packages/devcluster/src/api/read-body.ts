/** Bodies of writes: JSON that is to be an object of one kind, or options of a deletion. */
import { isJson, isJsonObject, type Json, type JsonObject, textAt } from '../json/index.ts';
import { notSupported, type Resource } from '../resources/index.ts';
import { decode } from '../schema/index.ts';
import { type ApiRequest, bodyBytesMax } from './exchange.ts';
import { refuse, refusals } from './refusal.ts';

/** How fields that nobody knows are taken. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Collects what the answer is to warn of. */
  readonly warnings: string[];
}

export function readWriteOptions(query: URLSearchParams, kind: string): WriteOptions {
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    const supported = ['', 'Ignore', 'Warn', 'Strict'];
    const error = notSupported('fieldValidation', validation, supported);
    refuse(refusals.invalidOptions(kind, [error]));
  }
  return {
    isDryRun: readDryRun(query.getAll('dryRun'), kind),
    fieldValidation: validation === 'Ignore' || validation === 'Strict' ? validation : 'Warn',
    warnings: [],
  };
}

export function readDryRun(given: readonly Json[], kind: string): boolean {
  const values = given.filter((value) => value !== '');
  if (values.some((value) => value !== 'All')) {
    refuse(refusals.invalidOptions(kind, [notSupported('dryRun', values, ['All'])]));
  }
  return values.length > 0;
}

/** The object of a create or an update, in the view of the resource and without its type. */
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
  refuseOtherKind(value, resource);
  const decoded = decode(resource.schema, value);
  const version = `${kind} in version "${resource.version}" cannot be handled as a ${kind}`;
  if (decoded.kind === 'malformed') {
    return refuse(refusals.badRequest(`${version}: ${decoded.problem}`));
  }
  noteUnknown(decoded.unknown, options, (problem) =>
    refusals.badRequest(`${version}: strict decoding error: ${problem}`),
  );
  return decoded.value;
}

export function noteUnknown(
  unknown: readonly string[],
  { fieldValidation, warnings }: WriteOptions,
  refusalFor: (problem: string) => Parameters<typeof refuse>[0],
): void {
  if (unknown.length === 0 || fieldValidation === 'Ignore') return;
  const problems = unknown.map((path) => `unknown field "${path}"`);
  if (fieldValidation === 'Strict') refuse(refusalFor(problems.join(', ')));
  warnings.push(...problems);
}

export function parseBody(
  text: string,
  refusalFor: (problem: string) => Parameters<typeof refuse>[0],
): Json {
  if (Buffer.byteLength(text) > bodyBytesMax) refuse(refusals.tooLarge(bodyBytesMax));
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch (err) {
    return refuse(refusalFor(err instanceof SyntaxError ? err.message : 'no JSON'));
  }
}

function refuseOtherMedia(contentType: string): void {
  const media = mediaOf(contentType);
  if (media === '' || media === 'application/json') return;
  if (media === 'application/vnd.kubernetes.protobuf' || media === 'application/yaml') {
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
        `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: the body is no JSON object`,
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
      `${given.kind} in version "${given.apiVersion}" cannot be handled as a ${kind}: wanted is kind "${kind}" of version "${wanted}"`,
    ),
  );
}

export function mediaOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
