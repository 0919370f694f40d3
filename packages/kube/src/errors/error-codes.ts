/**
 * Every code of an error of this package, with what it means and what to do. Codes are stable: callers,
 * alerts and documentation go by them. The reference page is made from this; a test of it fails for a
 * code that is used and not here, and for one that is here and not used.
 */
import type { Effect } from '@tandem/runtime';
import { apiErrorCodes } from './api-error-codes.ts';
import { connectionErrorCodes } from './connection-error-codes.ts';
import { credentialsErrorCodes } from './credentials-error-codes.ts';

export const kubeErrorCodes: Readonly<Record<string, ErrorNote>> = {
  ...credentialsErrorCodes,
  ...connectionErrorCodes,
  ...apiErrorCodes,
  NotAnApiServer: {
    meaning: 'The response was a web page, a redirect or plain text, which no API server sends.',
    retry: ['never'],
    effect: ['none', 'unknown'],
    remedy:
      'Check the server address in the kubeconfig, and that no proxy or login page intercepts requests.',
  },
  CallTimedOut: {
    meaning:
      'The API server did not answer a call in time. The limit includes all retries and the wait for a slot.',
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    remedy:
      'Check the load of the API server, and the metrics `rest_client_request_duration_seconds` and `rest_client_rate_limiter_duration_seconds`.',
  },
  TooManyRequestsWaiting: {
    meaning: 'Too many requests to the API server are already waiting.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'The API server cannot keep up, or `--kube-api-qps` is too low for this cluster. Check both.',
  },
  NotLeading: {
    meaning: 'The client did not send a write, because this process may no longer hold the Lease.',
    retry: ['never', 'backoff'],
    effect: ['none'],
    remedy:
      'Nothing, if another process leads. If it happens often, the API server is slow to renew the Lease, or this machine pauses.',
  },
  ListWentBack: {
    meaning:
      'A consistent list of nodes was older than the cache: the API server was restored to an older state.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'Nothing. A new leader decides nothing until its cache has followed the API server back, within three minutes.',
  },
  InvalidElectionTimings: {
    meaning: 'The timings of the leader election contradict each other. The message names them.',
    retry: ['never'],
    effect: ['none'],
    remedy:
      'Make `--leader-elect-lease-duration` longer than `--leader-elect-renew-deadline`, and the renew deadline longer than 1.2 times `--leader-elect-retry-period`.',
  },
  AnswerTooLarge: {
    meaning: 'A response was larger than any response that Tandem expects.',
    retry: ['never'],
    effect: ['none', 'unknown'],
    remedy: 'Find out which server answers at this address. It is probably not an API server.',
  },
  Undecodable: {
    meaning:
      'The informer could not decode a list or a watch event. It skips nothing and lists all objects again.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'If it persists, look for a proxy that changes responses, and report it with the version of the API server.',
  },
  WatchRefused: {
    meaning: 'The API server ended a watch with an error inside the stream.',
    retry: ['backoff', 'afterMs'],
    effect: ['none'],
    remedy: 'Nothing. The informer resumes or lists again. The message quotes the API server.',
  },
  SubscriberFailed: {
    meaning: 'A component threw an error while it handled a change, which it must never do.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'This is a bug in Tandem. Report it with the cause in the log.',
  },
};

/** What the reference page says of an error code. */
export interface ErrorNote {
  /** What happened, in one or two sentences. */
  readonly meaning: string;
  /** What the error may say of trying again; `afterMs`: after the time that it names. */
  readonly retry: readonly ('backoff' | 'never' | 'afterMs')[];
  /** What the error may say of the call's effect. */
  readonly effect: readonly Effect[];
  readonly remedy: string;
}
