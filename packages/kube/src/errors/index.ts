export type { ApiErrorCode } from './api-error-codes.ts';
export { kubeErrorCodes } from './error-codes.ts';
export type { ErrorNote } from './error-note.ts';
