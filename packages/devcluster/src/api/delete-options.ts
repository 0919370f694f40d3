/**
 * The options of a deletion: from the body if there is one, else from the query, never from both. Options that
 * cannot be read exactly are refused before the object is looked up, because a misread option could delete it.
 */
import { at, isJsonObject, type Json, type JsonObject, textsAt } from '../json/index.ts';
import { type FieldError, invalid, notSupported } from '../resources/index.ts';
import { decode, deleteOptions } from '../schema/index.ts';
import type { ApiRequest } from './exchange.ts';
import { readFlag, readInteger } from './list-options.ts';
import { dryRunErrors, parseBody, refuseOtherMedia } from './read-body.ts';
import { refuse, refusals } from './refusal.ts';

export interface DeleteOptions {
  /** The UID that the object must have. No object has an empty one. */
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly isDryRun: boolean;
}

const policies = ['Foreground', 'Background', 'Orphan'];

export function readDeleteOptions(request: ApiRequest, query: URLSearchParams): DeleteOptions {
  const options = request.body === '' ? optionsOfQuery(query) : optionsOfBody(request);
  const dryRun = textsAt(options, 'dryRun').filter((value) => value !== '');
  const errors = [...policyErrors(options), ...dryRunErrors(dryRun)];
  if (errors.length > 0) refuse(refusals.invalidOptions('DeleteOptions', errors));
  refuseGarbageCollection(options);
  return {
    uid: textOrAbsent(at(options, 'preconditions', 'uid')),
    resourceVersion: textOrAbsent(at(options, 'preconditions', 'resourceVersion')),
    isDryRun: dryRun.length > 0,
  };
}

function optionsOfBody({ body, headers }: ApiRequest): JsonObject {
  refuseOtherMedia(headers['content-type'] ?? '');
  const value = parseBody(body, (problem) =>
    refusals.badRequest(`couldn't get version/kind; json parse error: ${problem}`),
  );
  if (value === null) return {};
  const kind = at(value, 'kind') ?? '';
  if (!isJsonObject(value) || (kind !== '' && kind !== 'DeleteOptions')) {
    refuse(refusals.badRequest(`kind ${JSON.stringify(kind)} is not DeleteOptions`));
  }
  const decoded = decode(deleteOptions, value);
  if (decoded.kind === 'malformed') return refuse(refusals.badRequest(decoded.problem));
  return decoded.value;
}

function optionsOfQuery(query: URLSearchParams): JsonObject {
  readInteger(query, 'gracePeriodSeconds');
  return {
    dryRun: query.getAll('dryRun'),
    orphanDependents: readFlag(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
  };
}

function policyErrors(options: JsonObject): FieldError[] {
  const field = 'propagationPolicy';
  const policy = textOrAbsent(options[field]);
  if (policy === undefined) return [];
  const isTwice = options['orphanDependents'] !== undefined;
  const problem = 'orphanDependents and deletionPropagation cannot be both set';
  return [
    ...(isTwice ? [invalid(field, policy, problem)] : []),
    ...(policies.includes(policy) ? [] : [notSupported(field, policy, [...policies, 'nil'])]),
  ];
}

/** There is no garbage collector, so an object that waits for its dependents would wait forever. */
function refuseGarbageCollection(options: JsonObject): void {
  const policy = textOrAbsent(options['propagationPolicy']) ?? 'Background';
  if (policy === 'Background' && options['orphanDependents'] !== true) return;
  refuse(
    refusals.notImplemented(
      'collect garbage, so this deletion would never finish; delete in the background',
    ),
  );
}

function textOrAbsent(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
