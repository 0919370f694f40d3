export type { ApiErrorCode } from './api-error-codes.ts';
export { kubeErrorCodes } from './error-codes.ts';
export type { ErrorNote } from './error-codes.ts';
