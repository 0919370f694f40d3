export { type ControllerLine, openControllerLine } from './controller-line.ts';
export { accountManifest, type AccountName } from './request-token.ts';
