/**
 * Randomness as a port. Production draws from the system; tests and simulation draw from a seed. A
 * seeded source is split into named streams, so that a new draw in one place does not shift the
 * draws of every other place and old seeds keep their meaning.
 */
import { randomBytes } from 'node:crypto';

export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** An independent source, determined only by the seed of this source and the name. */
  fork(name: string): Random;
}

export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  fork: () => systemRandom,
};
