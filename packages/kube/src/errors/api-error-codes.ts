/** Of answers that say no. The words of the API server are in the message. */
import type { ErrorNote } from './error-note.ts';

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
    ...refused,
    meaning: 'The API server does not know who asks (401), also after credentials were read anew.',
    remedy: 'Check the token or certificate: it may have expired, or be of another cluster.',
  },
  ApiForbidden: {
    ...refused,
    meaning: 'This is not allowed (403), by RBAC or by an admission plug-in.',
    remedy: 'Grant what the message names; the shipped `rbac.yaml` has all that is needed.',
  },
  ApiNotFound: {
    ...refused,
    meaning: 'There is no such object or resource (404).',
    remedy: 'Nothing, when it was deleted meanwhile.',
  },
  ApiConflict: {
    ...refused,
    meaning: 'The object has changed since it was read, or exists already (409).',
    remedy: 'Nothing; it is read again and decided anew.',
  },
  ApiExpired: {
    ...refused,
    meaning: 'The API server no longer has the version that was asked for (410).',
    remedy: 'Nothing; everything is listed again.',
  },
  ApiInvalid: {
    ...refused,
    meaning: 'The API server found a write invalid, or a guard of a patch failed (422).',
    remedy: 'Nothing for a failed guard. Otherwise the message names the field.',
  },
  ApiThrottled: {
    meaning: 'The API server asks to come later (429).',
    retry: ['backoff', 'afterMs'],
    effect: ['none'],
    remedy:
      'When it stays: look at API Priority and Fairness, and at who else keeps the server busy.',
  },
  ApiRefused: {
    ...refused,
    meaning: 'The API server refused a request with another code below 500.',
    remedy: 'The message has its words.',
  },
  ApiServerFailed: {
    meaning:
      'The API server, or something in front of it, failed (5xx). A write may or may not have been done, and is read back.',
    retry: ['backoff', 'afterMs'],
    effect: ['none', 'unknown'],
    remedy: 'Look at the log of the API server and of etcd.',
  },
};
