/**
 * Answers that no API server gives: a web page, a redirect, a success in plain text. They come from a
 * proxy, a login page or a wrong address, and a retry does not help. They become one error that names the
 * server, the answer and what to check. A failure (5xx) of a load balancer is treated like any other
 * failure.
 */
import type { Effect } from '@tandem/runtime';
import { ApiError } from './client.ts';
import type { Exchange } from './refusal.ts';

/** Of an answer other than success. */
export function isForeign({ status, headers, body }: Exchange): boolean {
  if (status < 400) return true;
  if (status >= 500 || status === 429) return false;
  return isPlainHttpToTls(status, body) || mediaTypeOf(headers) === 'text/html';
}

export function foreignAnswer(exchange: Exchange, effect: Effect): ApiError {
  const { method, path, server, status, headers, body } = exchange;
  const { problem, remedy } = describe(exchange);
  const message = `${method} ${path}: ${server} ${problem}. ${remedy}`;
  return new ApiError(message, {
    code: 'NotAnApiServer',
    retry: 'never',
    effect,
    status: {
      code: status,
      reason: '',
      message: headers['location'] ?? beginningOf(body),
      causes: [],
      retryAfterSeconds: undefined,
    },
  });
}

function describe({ status, headers, body }: Exchange): { problem: string; remedy: string } {
  const checkAddress =
    'Check the server address in the kubeconfig, and that no proxy or login page intercepts requests.';
  if (isPlainHttpToTls(status, body)) {
    return {
      problem: 'refused plain HTTP, because it expects HTTPS',
      remedy: 'Write https:// instead of http:// in the server address in the kubeconfig.',
    };
  }
  if (status >= 300 && status < 400) {
    const target = headers['location'] ?? 'an unnamed location';
    return {
      problem: notFromApiServer(`a redirect (${status}) to ${target}`),
      remedy: checkAddress,
    };
  }
  const kind = mediaTypeOf(headers) === 'text/html' ? 'a web page' : 'plain text';
  const found = `${kind} (${status}) that starts with "${beginningOf(body)}"`;
  return { problem: notFromApiServer(found), remedy: checkAddress };
}

function notFromApiServer(found: string): string {
  return `answered with ${found}, which no API server sends`;
}

/** What Go's TLS servers answer, in plain text, to a client that does not use TLS. */
function isPlainHttpToTls(status: number, body: Uint8Array): boolean {
  return status === 400 && beginningOf(body).includes('HTTP request to an HTTPS server');
}

function mediaTypeOf(headers: Exchange['headers']): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase();
}

/** The beginning of a body as one line of text. 100 bytes are enough to recognise a page. */
export function beginningOf(body: Uint8Array, bytesMax = 100): string {
  const text = new TextDecoder().decode(body.subarray(0, bytesMax));
  return text.replaceAll(/\s+/g, ' ').trim();
}
