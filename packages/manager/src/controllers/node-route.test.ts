import assert from 'node:assert/strict';
import { formatCidr } from '@tandem/core/ip';
import { parseConfiguration } from '../config/index.ts';
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
      const relevant = notes.filter(({ message }) => message === 'Managing no routes');
      assert.deepEqual(
        relevant.map(({ level }) => level),
        says,
      );
      const reason = 'neither --cluster-cidr nor podCIDRPools names the ranges of the pods';
      for (const { fields } of relevant) assert.deepEqual(fields, { reason });
    });
  }

  it('adds the ranges of all pools to the cluster CIDRs, for itself and for the provider', () => {
    const configuration = parseConfiguration(
      `apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
podCIDRPools:
  - {name: edge, cidrs: [10.9.0.0/16, "FD00:9::/48"], selector: {matchLabels: {pool: edge}}}
`,
      { path: 'config.yaml', gates: { CloudNodeIPs: true } },
    );
    const clusterCIDRsWith = (...args: string[]) => {
      const { settings } = joinFlags(['--cloud-provider=static', ...args], { configuration });
      const { routeScope } = settings.controllers.find(({ facts }) => facts.name === name) ?? {};
      const own = routeScope?.clusterCIDRs.map(formatCidr);
      assert.deepEqual(settings.cloud.clusterCIDRs, own);
      return own;
    };
    const pool = ['10.9.0.0/16', 'fd00:9::/48'];
    assert.deepEqual(clusterCIDRsWith(), pool);
    assert.deepEqual(clusterCIDRsWith(dual), ['10.244.0.0/16', 'fd00:10:244::/48', ...pool]);
  });
});
