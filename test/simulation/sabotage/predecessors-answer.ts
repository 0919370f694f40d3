/** Remembers answers by the name of the node, and gives a namesake those of its predecessor (P2). */
import type { LookupAnswer } from '@tandem/provider/plug';
import type { Sabotage } from '../world/index.ts';

export const predecessorsAnswer: Sabotage = {
  name: 'gives a namesake what was found for its predecessor',
  provider(inner) {
    const found = new Map<string, Extract<LookupAnswer, { kind: 'found' }>>();
    return {
      ...inner,
      async lookup(nodes, options) {
        const answers = new Map(await inner.lookup(nodes, options));
        for (const { name } of nodes) {
          const known = found.get(name);
          const answer = answers.get(name);
          if (known !== undefined && answer !== undefined && 'asOfMs' in answer) {
            answers.set(name, { ...known, asOfMs: answer.asOfMs });
          } else if (answer?.kind === 'found' && answer.instance.providerID !== '') {
            found.set(name, answer);
          }
        }
        return answers;
      },
    };
  },
};
