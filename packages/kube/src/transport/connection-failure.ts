/**
 * What the failures of connections mean. As long as no socket had taken the request there was no
 * effect, whatever went wrong; afterwards the effect of a write is unknown. Failures that will not
 * pass by themselves, a server without TLS or with a certificate that cannot be trusted, say what to
 * look at and are not tried again.
 */
import type { Effect } from '@tandem/runtime';
import errors from 'undici/lib/core/errors.js';
import { type Method, TransportError } from './transport.ts';

/** A request that failed before any socket took it. */
export function connectFailure(err: unknown, server: string): TransportError {
  const code = codeOf(err);
  const facts = { effect: 'none', cause: err } as const;
  if (notTlsCodes.has(code)) {
    return new TransportError(
      `${server} does not speak TLS: there is plain HTTP or something else on that port. ` +
        'Check the port in the server address of the kubeconfig.',
      { ...facts, code: 'ServerWithoutTls', retry: 'never' },
    );
  }
  if (isAboutCertificate(code)) {
    return new TransportError(
      `The certificate of ${server} cannot be trusted (${code}). Check the server address and ` +
        'the certificate authority in the kubeconfig: is this the right cluster?',
      { ...facts, code: 'ServerNotTrusted', retry: 'never' },
    );
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    const what =
      'The request cannot be written as HTTP: a header or the path has a forbidden character';
    return new TransportError(what, { ...facts, code: 'RequestMalformed', retry: 'never' });
  }
  return new TransportError(`There is no connection to ${server} (${code})`, {
    ...facts,
    code: 'ConnectionFailed',
    retry: 'backoff',
  });
}

/** A request that a socket had taken, or an answer that broke off. */
export function lostConnection(
  err: unknown,
  { method, server }: { method: Method; server: string },
): TransportError {
  const code = codeOf(err);
  const effect: Effect = method === 'GET' ? 'none' : 'unknown';
  const isNotHttp =
    err instanceof errors.HTTPParserError || err instanceof errors.HeadersOverflowError;
  if (isNotHttp) {
    return new TransportError(
      `${server} answered with something that is not HTTP. ` +
        'Check the port in the server address of the kubeconfig.',
      { code: 'AnswerNotHttp', retry: 'never', effect, cause: err },
    );
  }
  return new TransportError(`The connection to ${server} was lost (${code})`, {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect,
    cause: err,
  });
}

/** A request whose signal aborted before any socket took it. */
export function notSent(reason: unknown, server: string): TransportError {
  return new TransportError(`The request to ${server} was given up before it was sent`, {
    code: 'RequestNotSent',
    retry: 'backoff',
    effect: 'none',
    cause: reason,
  });
}

export function transportClosed(): TransportError {
  const facts = { code: 'TransportClosed', retry: 'never', effect: 'none' } as const;
  return new TransportError('The connections to the API server have been closed', facts);
}

function codeOf(err: unknown): string {
  const hasCode = typeof err === 'object' && err !== null && 'code' in err;
  return hasCode && typeof err.code === 'string' ? err.code : 'no code';
}

/** What OpenSSL makes of the first bytes of an answer that is not TLS. */
const notTlsCodes: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
]);

/** The verdicts of OpenSSL's verification are named after certificates, but for these. */
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
