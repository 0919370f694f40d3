/** Takes every spelling of a providerID for another machine (P2). */
import type { Sabotage } from '../world/index.ts';

export const spellingBlind: Sabotage = {
  name: 'takes two spellings of one providerID for two machines',
  provider: (inner) => ({
    ...inner,
    identify: (providerID) => (inner.identify(providerID) === undefined ? undefined : providerID),
    async lookup(nodes, options) {
      const answers = new Map(await inner.lookup(nodes, options));
      for (const { name, providerID } of nodes) {
        const answer = answers.get(name);
        if (answer?.kind !== 'found' || providerID === '') continue;
        answers.set(name, { ...answer, instance: { ...answer.instance, providerID } });
      }
      return answers;
    },
  }),
};
