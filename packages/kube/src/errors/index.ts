export { type ApiErrorCode, type ErrorNote, kubeErrorCodes } from './error-codes.ts';
