export { type ControllerLines, openControllerLines } from './controller-lines.ts';
