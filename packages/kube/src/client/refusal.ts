/**
 * What an answer other than success means: the error with its effect and whether to retry. 4xx had no
 * effect, including 429. 5xx may have had one, because a server behind a failing proxy may have
 * continued. The headers of Priority and Fairness do not help: the API server sets them before it
 * executes a request, and rejects with 429. A read never has an effect.
 */
import { type Effect, parseRetryAfter, type Retry } from '@tandem/runtime';
import type { CredentialsOrigin } from '../credentials/credentials.ts';
import type { ApiErrorCode } from '../errors/index.ts';
import type { Method } from '../transport/index.ts';
import { ApiError, type ApiStatus } from './client.ts';
import { parseStatus } from './status.ts';
import { beginningOf, foreignAnswer, isForeign } from './foreign-answer.ts';
import { isMutating } from './request.ts';

/** A request and its answer. */
export interface Exchange {
  readonly method: Method;
  readonly path: string;
  /** The server, for error messages. */
  readonly server: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The origin of refused credentials, for error messages. */
  readonly refused?: CredentialsOrigin | undefined;
}

/** The API server sends no text with a success. */
export function isSuccess({ status, headers }: Pick<Exchange, 'status' | 'headers'>): boolean {
  const isText = /^\s*text\//i.test(headers['content-type'] ?? '');
  return status >= 200 && status < 300 && !isText;
}

/** The error that an answer other than success means. */
export function refusalOf(exchange: Exchange, nowMs: number): ApiError {
  if (isForeign(exchange)) return foreignAnswer(exchange, effectOf(exchange));
  const { status: code, method, path, headers, body } = exchange;
  const status = parseStatus(body) ?? statusFromText(exchange);
  const retryAfterMs =
    parseRetryAfter(headers['retry-after'], nowMs) ?? secondsToMs(status.retryAfterSeconds);
  const words = status.message === '' ? status.reason : status.message;
  return new ApiError(`${method} ${path} failed with ${code}: ${words}${nextStep(exchange)}`, {
    code: codeOf(code),
    retry: retryOf(code, retryAfterMs),
    effect: effectOf(exchange),
    status: { ...status, code },
  });
}

/** The next step after a 401: the server does not know which credentials were used. */
function nextStep({ refused }: Exchange): string {
  return refused === undefined ? '' : `. Tandem used ${refused.name}. ${refused.remedy}`;
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  401: 'ApiUnauthorized',
  403: 'ApiForbidden',
  404: 'ApiNotFound',
  409: 'ApiConflict',
  410: 'ApiExpired',
  422: 'ApiInvalid',
  429: 'ApiThrottled',
};

function codeOf(status: number): ApiErrorCode {
  return codes[status] ?? (status >= 500 ? 'ApiServerFailed' : 'ApiRefused');
}

export function effectOf({ method, status }: Pick<Exchange, 'method' | 'status'>): Effect {
  const isKnown = !isMutating(method) || (status >= 400 && status < 500);
  return isKnown ? 'none' : 'unknown';
}

function retryOf(status: number, retryAfterMs: number | undefined): Retry {
  // Credentials are read again at each try (401); callers pace those.
  const isPassing = status === 401 || status === 429 || status >= 500;
  if (!isPassing) return 'never';
  return retryAfterMs === undefined ? 'backoff' : { afterMs: retryAfterMs };
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Some filters of the API server answer with a line of plain text instead of a Status. */
function statusFromText({ status, body }: Exchange): ApiStatus {
  const message = beginningOf(body, textBytesMax);
  return { code: status, reason: '', message, causes: [], retryAfterSeconds: undefined };
}

const textBytesMax = 300;
