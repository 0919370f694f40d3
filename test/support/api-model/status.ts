/** The refusals of an API server, as `Status` objects. */
export interface Refused {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes?: readonly {
    readonly reason: string;
    readonly message?: string;
    readonly field?: string;
  }[];
  readonly retryAfterSeconds?: number;
}

export function statusOf({ code, reason, message, causes, retryAfterSeconds }: Refused): object {
  const details = {
    ...(causes === undefined ? {} : { causes }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details,
    code,
  };
}

export const refusals = {
  notFound: (what: string): Refused => ({
    code: 404,
    reason: 'NotFound',
    message: `${what} not found`,
  }),
  alreadyExists: (what: string): Refused => ({
    code: 409,
    reason: 'AlreadyExists',
    message: `${what} already exists`,
  }),
  conflict: (message: string): Refused => ({ code: 409, reason: 'Conflict', message }),
  expired: (): Refused => ({ code: 410, reason: 'Expired', message: 'too old resource version' }),
  failedPatch: (): Refused => ({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  }),
  noStreamingList: (): Refused => ({
    code: 422,
    reason: 'Invalid',
    message: 'sendInitialEvents is forbidden',
    causes: [{ reason: 'FieldValueForbidden', message: 'forbidden', field: 'sendInitialEvents' }],
  }),
  versionTooLarge: (): Refused => ({
    code: 504,
    reason: 'Timeout',
    message: 'Too large resource version',
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  }),
  badRequest: (message: string): Refused => ({ code: 400, reason: 'BadRequest', message }),
};
