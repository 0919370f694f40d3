export { Evidence } from './deletion-law.ts';
export { type Actor, Overseer } from './overseer.ts';
export { Truth } from './truth.ts';
export type { Accuse, Violation } from './violation.ts';
export { findSettled, type Standing, standingOf } from './wanted.ts';
