import assert from 'node:assert/strict';
import { joinFlags } from '../flags/joined-flags.fixture.ts';

const name = 'node-route-controller';
const dual = '--cluster-cidr=10.244.0.0/16,fd00:10:244::/48';

describe('node-route-controller', () => {
  const cases: { args: readonly string[]; runs: boolean; says: readonly string[] }[] = [
    { args: [dual], runs: true, says: [] },
    { args: [], runs: false, says: ['info'] },
    { args: ['--configure-cloud-routes=true'], runs: false, says: ['warn'] },
    { args: ['--configure-cloud-routes=false'], runs: false, says: [] },
    { args: ['--configure-cloud-routes=false', dual], runs: false, says: [] },
    { args: ['--controllers=*,-route', dual], runs: false, says: [] },
    { args: ['--controllers=*,-route'], runs: false, says: [] },
  ];
  for (const { args, runs, says } of cases) {
    it(`${runs ? 'runs' : 'does not run'} with ${args.join(' ') || 'no flags'}`, () => {
      const { settings, notes } = joinFlags(['--cloud-provider=static', ...args]);
      assert.equal(
        settings.controllers.some(({ facts }) => facts.name === name),
        runs,
      );
      const said = notes.filter(({ message }) => message === 'Managing no routes');
      assert.deepEqual(
        said.map(({ level }) => level),
        says,
      );
    });
  }
});
