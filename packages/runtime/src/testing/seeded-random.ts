/** Random numbers from a seed, for tests, the simulation and `npm start`. */
import { hash } from 'node:crypto';
import type { Random } from '../random.ts';

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
