/** Takes an error, and an answer that is missing, for absence (P3). */
import type { LookupAnswer } from '@tandem/provider/plug';
import type { Sabotage } from '../world/index.ts';

export const errorAsAbsence: Sabotage = {
  name: 'takes an error for absence',
  provider: (inner, clock) => ({
    ...inner,
    async lookup(nodes, options) {
      const absent: LookupAnswer = { kind: 'absent', asOfMs: clock.monotonic() };
      const answers = await inner.lookup(nodes, options).catch(() => undefined);
      return new Map(
        nodes.map(({ name }) => {
          const answer = answers?.get(name) ?? absent;
          return [name, answer.kind === 'unknown' ? absent : answer];
        }),
      );
    },
  }),
};
