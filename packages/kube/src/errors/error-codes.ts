/**
 * Every code of an error of this package, with what it means and what to do. Codes are stable: callers,
 * alerts and documentation go by them. The reference page is made from this; a test of it fails for a
 * code that is used and not here, and for one that is here and not used.
 */
import { apiErrorCodes } from './api-error-codes.ts';
import { connectionErrorCodes } from './connection-error-codes.ts';
import { credentialsErrorCodes } from './credentials-error-codes.ts';
import type { ErrorNote } from './error-note.ts';

export const kubeErrorCodes: Readonly<Record<string, ErrorNote>> = {
  ...credentialsErrorCodes,
  ...connectionErrorCodes,
  ...apiErrorCodes,
  NotAnApiServer: {
    meaning: 'The answer was a web page, a redirect or plain text, which no API server sends.',
    retry: ['never'],
    effect: ['none', 'unknown'],
    remedy:
      'Check the server address of the kubeconfig, and that no proxy or login page stands in between.',
  },
  CallTimedOut: {
    meaning:
      'A call to the API server had no answer within its limit, all tries and the wait for a place together.',
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    remedy:
      'Look at the load of the API server, and at the metrics `rest_client_request_duration_seconds` and `rest_client_rate_limiter_duration_seconds`.',
  },
  TooManyRequestsWaiting: {
    meaning: 'So many requests wait for their turn already that another one makes no sense.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'The API server does not keep up, or `--kube-api-qps` is far too low for this cluster. Look at both.',
  },
  WriteNotSent: {
    meaning: 'The gate for writes was shut, so this one was held back.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Nothing; its cause says what shut the gate.',
  },
  NotLeading: {
    meaning:
      'A write was held back because this process cannot be sure that it still holds the Lease.',
    retry: ['never', 'backoff'],
    effect: ['none'],
    remedy:
      'Nothing, when another process leads. When it comes often: the API server is slow to renew the Lease, or this machine pauses.',
  },
  AnswerTooLarge: {
    meaning: 'An answer was longer than anything that the API server is asked for.',
    retry: ['never'],
    effect: ['none', 'unknown'],
    remedy: 'Find out what answers at this address; it is hardly an API server.',
  },
  Undecodable: {
    meaning:
      'A list or an event of a watch could not be read. It is not skipped: everything is listed again.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'When it stays: look for a proxy that changes answers, and report it with the version of the API server.',
  },
  WatchRefused: {
    meaning: 'The API server ended a watch with an error inside the stream.',
    retry: ['backoff', 'afterMs'],
    effect: ['none'],
    remedy:
      'Nothing; the informer goes on or lists again. The message has the words of the server.',
  },
  SubscriberFailed: {
    meaning: 'A part of the program threw while it was told of a change, which it must never do.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'This is a mistake in the program: report it, with the cause that is logged beside it.',
  },
};
