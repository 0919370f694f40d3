/**
 * Chance as a port. Production draws from the system; tests and simulation draw from a seed. A
 * seeded source is split into named streams, so that a new draw in one place does not shift the
 * draws of every other place and old seeds keep their meaning.
 */
import { hash, randomBytes } from 'node:crypto';

export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A source of its own, decided only by this one's seed and the name. */
  fork(name: string): Random;
}

export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  fork: () => systemRandom,
};

/** Draws that are the same for the same seed on every machine and in every version. */
export function seededRandom(seed: string): Random {
  const draw = sfc32(seed);
  return { next: draw, fork: (name) => seededRandom(`${seed}/${name}`) };
}

/** The generator sfc32 of the PractRand suite: 128 bits of state, filled from a hash of the seed. */
function sfc32(seed: string): () => number {
  const digest = hash('sha256', seed, 'buffer');
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = digest.readInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
