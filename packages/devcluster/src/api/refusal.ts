/**
 * Refusals of the API server: a `Status` with a code, a reason, a message and details. Code in this folder
 * throws them, and `answer` turns them into answers; none leaves the folder as an exception.
 */
import type { Json, JsonObject } from '../json/index.ts';
import {
  describeErrors,
  type FieldError,
  qualifiedKind,
  qualifiedResource,
  type Resource,
} from '../resources/index.ts';

export interface Refusal {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: JsonObject;
}

export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'RefusedError';
    this.refusal = refusal;
  }
}

export function refuse(refusal: Refusal): never {
  throw new RefusedError(refusal);
}

export function statusOf({ code, reason, message, details }: Refusal): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

export const refusals = {
  badRequest: (message: string): Refusal => ({ code: 400, reason: 'BadRequest', message }),

  unauthorized: (): Refusal => ({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),

  forbidden: (message: string, details: JsonObject): Refusal => ({
    code: 403,
    reason: 'Forbidden',
    message,
    details,
  }),

  notFound: (resource: Resource, name: string): Refusal => ({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedResource(resource)} "${name}" not found`,
    details: detailsOf(resource, name, resource.resource),
  }),

  unknownResource: (): Refusal => ({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  }),

  methodNotAllowed: (): Refusal => ({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  }),

  notAcceptable: (message: string): Refusal => ({ code: 406, reason: 'NotAcceptable', message }),

  alreadyExists: (resource: Resource, name: string): Refusal => ({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualifiedResource(resource)} "${name}" already exists`,
    details: detailsOf(resource, name, resource.resource),
  }),

  conflict: (resource: Resource, name: string, problem: string): Refusal => ({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedResource(resource)} "${name}": ${problem}`,
    details: detailsOf(resource, name, resource.resource),
  }),

  /** For a deletion, which names the kind and not the resource. */
  preconditionFailed: (resource: Resource, name: string, problem: string): Refusal => ({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedKind(resource)} "${name}": ${problem}`,
    details: detailsOf(resource, name, resource.kind),
  }),

  expired: (message: string): Refusal => ({ code: 410, reason: 'Expired', message }),

  tooLarge: (limitBytes: number): Refusal => ({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limitBytes}`,
  }),

  unsupportedMediaType: (message: string): Refusal => ({
    code: 415,
    reason: 'UnsupportedMediaType',
    message,
    details: {},
  }),

  invalid: (resource: Resource, name: string, errors: readonly FieldError[]): Refusal =>
    invalidOf(`${qualifiedKind(resource)} "${name}"`, errors, {
      ...detailsOf(resource, name, resource.kind),
    }),

  invalidOptions: (kind: string, errors: readonly FieldError[]): Refusal =>
    invalidOf(`${kind}.meta.k8s.io ""`, errors, { group: 'meta.k8s.io', kind }),

  /** For a patch whose result is not an object of its kind. */
  invalidPatch: (patched: Json, problem: string): Refusal =>
    invalidOf(' ""', [
      {
        field: 'patch',
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: ${problem}`,
      },
    ]),

  /** For a `test` that failed, or a path that does not exist. It has no causes, unlike other refusals. */
  failedPatch: (): Refusal => ({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  }),

  versionTooLarge: (asked: number, current: number): Refusal => ({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  }),

  /** For a bug in this server. */
  internal: (): Refusal => ({
    code: 500,
    reason: 'InternalError',
    message:
      'Internal error occurred: the embedded API server of Tandem failed to handle this request',
    details: {},
  }),

  /** For what a real API server does and this one does not. This server never makes up an answer. */
  notImplemented: (what: string): Refusal => ({
    code: 501,
    reason: 'NotImplemented',
    message: `the embedded API server of Tandem does not ${what}`,
    details: {},
  }),
};

function invalidOf(what: string, errors: readonly FieldError[], details: JsonObject = {}): Refusal {
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  return {
    code: 422,
    reason: 'Invalid',
    message: `${what} is invalid: ${describeErrors(errors)}`,
    details: { ...details, causes },
  };
}

function detailsOf({ group }: Resource, name: string, kind: string): JsonObject {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind,
  };
}
