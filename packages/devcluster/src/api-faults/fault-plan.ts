/**
 * The kinds of faults and their rates, as data. Each fault is drawn from a seeded stream, so that the same seed
 * injects the same faults into the same requests. A plan bounds the number of faults, so that a simulation becomes
 * healthy in the end.
 */
import type { Random } from '@tandem/runtime';

export type FaultKind =
  /** The answer takes longer. */
  | 'delay'
  /** The connection is reset before the server sees the request: no effect. */
  | 'reset-before'
  /** The server acts, and the connection is reset before its answer: unknown effect. */
  | 'reset-after'
  /** Refusals by the server, without effect. */
  | 'conflict'
  | 'gone'
  | 'too-many-requests'
  | 'unavailable'
  /** The server acts and answers 500: unknown effect. */
  | 'internal-error'
  /** The answer breaks off in its middle. */
  | 'truncated'
  /** A byte of the answer is changed. */
  | 'garbled'
  /** The stream of a watch stays open and sends nothing more. */
  | 'silent'
  /** The chunks of a watch all come late by the same time, in their order. */
  | 'lag';

export interface FaultPlan {
  /** The chance of each fault, from 0 to 1, for each request it applies to. */
  readonly rates: Readonly<Partial<Record<FaultKind, number>>>;
  /** After so many faults there are no more. */
  readonly faultsMax: number;
  /** The longest delay or lag. */
  readonly delayMsMax: number;
}

/** Faults in the body of an answer. */
export const streamFaults: readonly FaultKind[] = ['truncated', 'garbled', 'silent', 'lag'];

/** Faults before the body of an answer. */
export const requestFaults: readonly FaultKind[] = [
  'delay',
  'reset-before',
  'reset-after',
  'conflict',
  'gone',
  'too-many-requests',
  'unavailable',
  'internal-error',
];

/**
 * Draws a plan as in swarm testing: which faults are on and how often depends on the seed, so that some runs have only
 * one kind and others all kinds.
 */
export function drawFaultPlan(random: Random, kinds: readonly FaultKind[]): FaultPlan {
  const rates: Partial<Record<FaultKind, number>> = {};
  for (const kind of kinds) {
    const isOn = random.next() < 0.5;
    if (isOn) rates[kind] = random.next() * 0.5;
  }
  return {
    rates,
    faultsMax: 1 + Math.floor(random.next() * 40),
    delayMsMax: 1 + Math.floor(random.next() * 60_000),
  };
}
