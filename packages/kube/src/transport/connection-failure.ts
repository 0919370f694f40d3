/**
 * What connection failures mean. Before a socket takes the request, a failure has no effect; afterwards
 * the effect of a write is unknown. Permanent failures (a server without TLS, an untrusted certificate)
 * say what to check and are not retried.
 */
import { type Effect, errorCodeOf } from '@tandem/runtime';
import { errors } from 'undici';
import { type Method, TransportError } from './transport.ts';

/** The server as errors name it. */
export interface NamedServer {
  readonly url: string;
  /** The origin of the address, such as `the kubeconfig /etc/kubeconfig`. */
  readonly from: string;
}

/** The code for a server that Tandem cannot connect to now. */
export const connectionFailed = 'ConnectionFailed';

/** A request that failed before any socket took it. */
export function connectFailure(err: unknown, { url, from }: NamedServer): TransportError {
  const code = errorCodeOf(err) ?? 'no code';
  const facts = { effect: 'none', cause: err } as const;
  if (notTlsCodes.has(code)) {
    return new TransportError(
      `${url} does not speak TLS. The port serves plain HTTP or another protocol. ` +
        `Check the port of the server address in ${from}.`,
      { ...facts, code: 'ServerWithoutTls', retry: 'never' },
    );
  }
  if (isAboutCertificate(code)) {
    return new TransportError(
      `Cannot trust the certificate of ${url} (${code}). Check that the server address and ` +
        `the certificate authority in ${from} belong to the same cluster.`,
      { ...facts, code: 'ServerNotTrusted', retry: 'never' },
    );
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    const what =
      'The request is not valid HTTP: a header or the path contains a forbidden character';
    return new TransportError(what, { ...facts, code: 'RequestMalformed', retry: 'never' });
  }
  return new TransportError(
    `Cannot connect to ${url} (${code}). Check that the API server is running, and check its address in ${from}.`,
    { ...facts, code: connectionFailed, retry: 'backoff' },
  );
}

/** A request that a socket took, or an answer that broke off. */
export function lostConnection(
  err: unknown,
  { method, server }: { method: Method; server: NamedServer },
): TransportError {
  const code = errorCodeOf(err) ?? 'no code';
  const effect: Effect = method === 'GET' ? 'none' : 'unknown';
  const isNotHttp =
    err instanceof errors.HTTPParserError || err instanceof errors.HeadersOverflowError;
  if (isNotHttp) {
    return new TransportError(
      `The response of ${server.url} is not HTTP. ` +
        `Check the port of the server address in ${server.from}.`,
      { code: 'AnswerNotHttp', retry: 'never', effect, cause: err },
    );
  }
  return new TransportError(`Lost the connection to ${server.url} (${code})`, {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect,
    cause: err,
  });
}

/** A request whose signal aborted before any socket took it. */
export function notSent(reason: unknown, { url }: Pick<NamedServer, 'url'>): TransportError {
  return new TransportError(`The request to ${url} was cancelled before it was sent`, {
    code: 'RequestNotSent',
    retry: 'backoff',
    effect: 'none',
    cause: reason,
  });
}

export function transportClosed(): TransportError {
  const facts = { code: 'TransportClosed', retry: 'never', effect: 'none' } as const;
  return new TransportError('The connections to the API server are closed', facts);
}

/** OpenSSL's errors for the first bytes of an answer that is not TLS. */
const notTlsCodes: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
]);

/** OpenSSL's verification errors without CERT in their name. */
const otherVerdicts: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
]);

function isAboutCertificate(code: string): boolean {
  return code.includes('CERT') || otherVerdicts.has(code);
}
