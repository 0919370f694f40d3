export type { Author } from './author.ts';
export { Evidence } from './deletion-law.ts';
export { Overseer } from './overseer.ts';
export { PodCIDRLaw } from './pod-cidr-law.ts';
export { type PodCIDRStanding, podCIDRStandingOf } from './wanted-pod-cidrs.ts';
export { Truth } from './truth.ts';
export type { Accuse, Rule, Violation } from './violation.ts';
export { findRemovable, findSettled, type Standing, standingOf } from './wanted.ts';
