/** Answers from copies of its own as if they were of now (P3). */
import type { LookupAnswer } from '@tandem/provider/plug';
import type { Sabotage } from '../world/index.ts';

const keptMs = 10_000;

export const staleCopies: Sabotage = {
  name: 'takes a copy of what the cloud said for what it says now',
  provider(inner, clock) {
    const copies = new Map<string, { readonly answer: LookupAnswer; readonly atMs: number }>();
    return {
      ...inner,
      async lookup(nodes, options) {
        const answers = new Map(await inner.lookup(nodes, options));
        const nowMs = clock.monotonic();
        for (const { name, uid } of nodes) {
          const answer = answers.get(name);
          const copy = copies.get(uid);
          if (answer?.kind !== 'found' || answer.instance.providerID === '') continue;
          if (copy?.answer.kind === 'found' && nowMs - copy.atMs < keptMs) {
            answers.set(name, { ...copy.answer, asOfMs: nowMs });
          } else copies.set(uid, { answer, atMs: nowMs });
        }
        return answers;
      },
    };
  },
};
