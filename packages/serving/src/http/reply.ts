/**
 * An answer as a value, and the answers without a page: refusals in the form of the API server, which clients of
 * Kubernetes can read. None of them reveals whether a page exists.
 */
import type { Identity } from '../authentication/identity.ts';

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The encoded body that is sent instead of `body`. A header names the encoding. */
  readonly content?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const plainText = 'text/plain; charset=utf-8';
const json = 'application/json';

export function textReply(status: number, body: string): Reply {
  return { status, contentType: plainText, body };
}

export function jsonReply(value: unknown): Reply {
  return { status: 200, contentType: json, body: `${JSON.stringify(value)}\n` };
}

export const unauthorized: Reply = {
  ...statusReply({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),
  headers: { 'www-authenticate': 'Bearer' },
};

/** The reason follows the message after a colon, as in the API server's answers. */
export function forbidden(
  access: { readonly identity: Identity; readonly verb: string; readonly path: string },
  why?: string,
): Reply {
  const { identity, verb, path } = access;
  const who = `User ${JSON.stringify(identity.name)}`;
  const cannot = `forbidden: ${who} cannot ${verb} path ${JSON.stringify(path)}`;
  const message = why === undefined ? cannot : `${cannot}: ${why}`;
  return statusReply({ code: 403, reason: 'Forbidden', message });
}

/** The answer if the caller could not be identified or authorized. */
export const undecided: Reply = statusReply({
  code: 500,
  reason: 'InternalError',
  message: 'The manager could not ask the API server whether this is allowed',
});

export const failed: Reply = statusReply({
  code: 500,
  reason: 'InternalError',
  message: 'The manager could not create this page',
});

/** The answer to a request that a proxy and this server could read differently. */
export const ambiguous: Reply = textReply(400, '400 Bad Request\n');

export const notFound: Reply = textReply(404, '404 page not found\n');

export const notAllowedMethod: Reply = {
  ...textReply(405, 'Method not allowed: use GET or HEAD\n'),
  headers: { allow: 'GET, HEAD' },
};

export const onlyPut: Reply = {
  ...textReply(405, 'Method not allowed: use PUT\n'),
  headers: { allow: 'PUT' },
};

export function notAcceptable(wanted: readonly string[]): Reply {
  const message = `only the following media types are accepted: ${wanted.join(', ')}`;
  return statusReply({ code: 406, reason: 'NotAcceptable', message });
}

/** Returns the answer to a wrong parameter of a page. */
export function badQuery(message: string): Reply {
  return statusReply({ code: 400, reason: 'BadRequest', message });
}

/** The page exists, but this manager has nothing to show on it. */
export function unknownList(message: string): Reply {
  return statusReply({ code: 404, reason: 'NotFound', message });
}

/** Another manager has the data, or this one will have it later. */
export function unavailable(message: string): Reply {
  return statusReply({ code: 503, reason: 'ServiceUnavailable', message });
}

/** The client already has the current page. */
export function notModified(etag: string): Reply {
  return { status: 304, contentType: json, body: '', headers: { etag } };
}

function statusReply(facts: { code: number; reason: string; message: string }): Reply {
  const { code, reason, message } = facts;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { ...jsonReply({ ...status, message, reason, code }), status: code };
}
