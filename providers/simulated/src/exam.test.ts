import { examine } from '@tandem/provider/exam';
import { type RouteSettings, routeSettingsDefault } from './index.ts';
import { openLab, tablesOfLab } from './lab.fixture.ts';

describe('exam of the simulated cloud', () => {
  for (const { name, run } of examine(() => openLab())) it(name, run);
});

describe('exam of a simulated cloud with a cache', () => {
  for (const { name, run } of examine(() => openLab({ keepsCopies: true }))) it(name, run);
});

const routeHabits: readonly { readonly name: string; readonly habits: Partial<RouteSettings> }[] = [
  { name: 'with route tables', habits: {} },
  {
    name: 'whose route tables are slow and spell IPv6 in unusual ways',
    habits: { latencyMs: { min: 5, max: 300 }, spellsOddly: true, unreadyShare: 0.5 },
  },
  { name: 'whose routes have addresses as targets', habits: { targets: 'address' } },
  { name: 'that routes IPv6 only', habits: { families: ['IPv6'], spellsOddly: true } },
];
for (const { name: cloud, habits } of routeHabits) {
  describe(`exam of a simulated cloud ${cloud}`, () => {
    const routes = { ...routeSettingsDefault, tables: tablesOfLab, ...habits };
    for (const { name, run } of examine(() => openLab({ routes }))) it(name, run);
  });
}
