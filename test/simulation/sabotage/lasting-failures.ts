/** Takes a look-up that failed for the answer to all that follow it, so that requests wait (ESR). */
import type { Sabotage } from '../world/index.ts';

const keptMs = 30_000;

export const lastingFailures: Sabotage = {
  name: 'takes one failed look-up for the answer of the next half minute',
  provider(inner, clock) {
    let failed: { readonly err: unknown; readonly atMs: number } | undefined;
    return {
      ...inner,
      async lookup(nodes, options) {
        if (failed !== undefined && clock.monotonic() - failed.atMs < keptMs) throw failed.err;
        try {
          return await inner.lookup(nodes, options);
        } catch (err) {
          failed = { err, atMs: clock.monotonic() };
          throw err;
        }
      },
    };
  },
};
