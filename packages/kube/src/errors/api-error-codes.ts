/** Of answers that say no. The words of the API server are in the message. */
import type { ErrorNote } from './error-codes.ts';

const refused = { retry: ['never'], effect: ['none'] } as const;

/** What an answer other than success can amount to; `client/refusal.ts` chooses. */
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

export const apiErrorCodes: Readonly<Record<ApiErrorCode, ErrorNote>> = {
  ApiUnauthorized: {
    meaning:
      'The API server rejected the credentials (401), even after Tandem read the credentials and the kubeconfig again.',
    retry: ['backoff'],
    effect: ['none'],
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
