/**
 * Which faults a world has and how often, as data. Each fault is drawn from a seeded stream, so that the
 * same seed hurts the same requests in the same way; the number of faults is bounded, so that every
 * world becomes healthy in the end.
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
  /** A byte of the answer is another. */
  | 'garbled'
  /** The stream of a watch stops without an end. */
  | 'silent'
  /** The chunks of a watch come late, in their order, all by the same time. */
  | 'lag';

export interface FaultPlan {
  /** The chance of each fault, from 0 to 1, for each request it applies to. */
  readonly rates: Readonly<Partial<Record<FaultKind, number>>>;
  /** After so many faults there are no more. */
  readonly faultsMax: number;
  /** The longest delay or lag. */
  readonly delayMsMax: number;
}

/** Faults that only make sense for a stream that goes on. */
export const streamFaults: readonly FaultKind[] = ['truncated', 'garbled', 'silent', 'lag'];

/** Faults whose place in time is before an answer exists. */
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
 * A plan in the manner of swarm testing: each seed draws which faults are on and how often, so that
 * some worlds have one kind only and others everything at once.
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
