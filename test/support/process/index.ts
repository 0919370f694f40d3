export { bequeathRemoval } from './guard.ts';
export { type Exit, GuardedProcess, patienceMs } from './guarded-process.ts';
export { collectJSON, CapturedProcess } from './captured-process.ts';
