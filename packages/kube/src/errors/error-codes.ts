/**
 * Every error code of this package, its meaning and what to do. Codes are stable: callers, alerts and
 * documentation rely on them. The reference page is generated from this file. A test compares the file
 * with the codes in use.
 */
import type { Effect } from '@tandem/runtime';
import type { CredentialsErrorCode } from '../credentials/index.ts';

/** The part of the reference page about one error code. */
export interface ErrorNote {
  /** What happened, in one or two sentences. */
  readonly meaning: string;
  /** The possible values of the error's `retry`; `afterMs`: after the time that the error names. */
  readonly retry: readonly ('backoff' | 'never' | 'afterMs')[];
  /** The possible values of the error's `effect`. */
  readonly effect: readonly Effect[];
  readonly remedy: string;
}

/** The codes of answers other than success. `client/refusal.ts` chooses one. */
export type ApiErrorCode =
  | 'ApiUnauthorized'
  | 'ApiForbidden'
  | 'ApiNotFound'
  | 'ApiConflict'
  | 'ApiExpired'
  | 'ApiInvalid'
  | 'ApiThrottled'
  | 'ApiRefused'
  | 'ApiServerFailed';

const retried = { retry: ['backoff'], effect: ['none'] } as const;

const refused = { retry: ['never'], effect: ['none'] } as const;

/** Credential files are rewritten while the program runs, so a retry may succeed. */
export const credentialsErrorCodes: Readonly<Record<CredentialsErrorCode, ErrorNote>> = {
  KubeconfigMissing: {
    ...retried,
    meaning:
      'The kubeconfig does not exist or cannot be read, or none is set and the program does not run in a pod.',
    remedy:
      'Set `--kubeconfig`, and check the path and the permissions of the file. The manager does not ' +
      'read `KUBECONFIG` or `~/.kube/config`, so that it never works on a cluster by accident.',
  },
  KubeconfigInvalid: {
    ...retried,
    meaning: 'A kubeconfig is invalid. The message names the file and the field.',
    remedy: 'Fix the field. `kubectl config view` shows the expected form.',
  },
  ServerAddressInvalid: {
    ...retried,
    meaning: 'The value of `--master` is not a valid server address.',
    remedy:
      'Write it as `https://HOST:PORT`. Plain HTTP works only for localhost and loopback addresses.',
  },
  ServerAddressChanged: {
    ...retried,
    meaning: 'The API server refused the credentials, and the kubeconfig now names another server.',
    remedy:
      'Restart the program to use the new address, or restore the old address with new credentials.',
  },
  CertificateInvalid: {
    ...retried,
    meaning: 'A certificate or key is missing or unreadable, or the two do not match.',
    remedy: 'Replace the file or field that the message names. It must be PEM.',
  },
  TokenInvalid: {
    ...retried,
    meaning: 'A token or its file is missing, or the token is not one line without spaces.',
    remedy: 'Replace the file or field that the message names.',
  },
  ExecPluginFailed: {
    ...retried,
    meaning: 'The exec plugin of the kubeconfig failed, hung, or returned an invalid answer.',
    remedy: 'Run the command that the message names by hand, and check its output.',
  },
};

const apiErrorCodes: Readonly<Record<ApiErrorCode, ErrorNote>> = {
  ApiUnauthorized: {
    ...retried,
    meaning:
      'The API server rejected the credentials (401), even after Tandem read the credentials and the kubeconfig again.',
    remedy:
      'Check the token or certificate. It may have expired or belong to another cluster. The manager reads it again at each try and exits with 1 after 60 s of refusals.',
  },
  ApiForbidden: {
    ...refused,
    meaning: 'RBAC or an admission plugin denied the request (403).',
    remedy:
      'Grant the permission that the message names. The shipped `rbac.yaml` has all permissions; with `--use-service-account-credentials`, `rbac-controller-accounts.yaml` has.',
  },
  ApiNotFound: {
    ...refused,
    meaning: 'The object or resource does not exist (404).',
    remedy: 'Nothing, if the object was deleted in the meantime.',
  },
  ApiConflict: {
    ...refused,
    meaning: 'The object changed after it was read, or it already exists (409).',
    remedy: 'Nothing. The manager reads the object and decides again.',
  },
  ApiExpired: {
    ...refused,
    meaning: 'The API server no longer has the requested version (410).',
    remedy: 'Nothing. The informer lists all objects again.',
  },
  ApiInvalid: {
    ...refused,
    meaning:
      'The API server rejected a write as invalid, or a precondition of a patch failed (422).',
    remedy: 'Nothing for a failed precondition. Otherwise fix the field that the message names.',
  },
  ApiThrottled: {
    meaning: 'The API server throttles requests (429).',
    retry: ['backoff', 'afterMs'],
    effect: ['none'],
    remedy:
      'If it persists, check API Priority and Fairness, and which other clients load the API server.',
  },
  ApiRefused: {
    ...refused,
    meaning: 'The API server refused a request with another status code below 500.',
    remedy: 'Follow the message, which quotes the API server.',
  },
  ApiServerFailed: {
    meaning:
      'The API server, or a proxy in front of it, failed (5xx). A write may or may not have been applied, so the manager reads it back.',
    retry: ['backoff', 'afterMs'],
    effect: ['none', 'unknown'],
    remedy: 'Check the logs of the API server and of etcd.',
  },
};

export const kubeErrorCodes: Readonly<Record<string, ErrorNote>> = {
  ...credentialsErrorCodes,
  ConnectionFailed: {
    ...retried,
    meaning: 'Tandem cannot connect to the API server.',
    remedy: 'Check that the API server is running and that this machine can reach its address.',
  },
  ConnectionLost: {
    meaning:
      'The connection broke after Tandem sent a request. A write may or may not have been applied, so the manager reads it back. If the response had already confirmed the write, the write was applied.',
    retry: ['backoff'],
    effect: ['none', 'unknown', 'applied'],
    remedy:
      'Nothing, if the API server restarted. If it happens often, check the network and any load balancers that close connections.',
  },
  RequestNotSent: {
    ...retried,
    meaning: 'A request was cancelled while it was waiting for a connection or for credentials.',
    remedy: 'If it happens often, connecting takes too long. Check the network and exec plugins.',
  },
  RequestMalformed: {
    ...refused,
    meaning: 'A request is not valid HTTP: a header or the path contains a forbidden character.',
    remedy:
      'Check the token and the impersonation fields in the kubeconfig for unusual characters.',
  },
  ServerWithoutTls: {
    ...refused,
    meaning: 'The server at the address of the API server does not speak TLS.',
    remedy: 'Check the port of the server address in the kubeconfig.',
  },
  ServerNotTrusted: {
    ...refused,
    meaning:
      'The certificate of the API server is not trusted, has expired, or names another host.',
    remedy:
      'Check that the server address and the certificate authority belong to the same cluster, and when the certificate expires.',
  },
  AnswerNotHttp: {
    meaning: 'The response of the API server was not HTTP.',
    retry: ['never'],
    effect: ['none', 'unknown'],
    remedy: 'Check the port of the server address in the kubeconfig.',
  },
  TransportClosed: {
    ...refused,
    meaning: 'The program is stopping and has closed its connections.',
    remedy: 'Nothing.',
  },
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
    ...retried,
    meaning: 'Too many requests to the API server are already waiting.',
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
    ...retried,
    meaning:
      'A consistent list of nodes was older than the cache: the API server was restored to an older state.',
    remedy:
      'Nothing. A new leader decides nothing until its cache has followed the API server back, within three minutes.',
  },
  InvalidElectionTimings: {
    ...refused,
    meaning: 'The timings of the leader election contradict each other. The message names them.',
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
    ...retried,
    meaning:
      'The informer could not decode a list or a watch event. It skips nothing and lists all objects again.',
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
    ...refused,
    meaning: 'A component threw an error while it handled a change, which it must never do.',
    remedy: 'This is a bug in Tandem. Report it with the cause in the log.',
  },
};
