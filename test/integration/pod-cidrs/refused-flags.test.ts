/** Settings that cannot work are refused before anything is asked of a cluster, all of them in one go. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useInstallation } from '../manager/installation.ts';

const configuration = `apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
podCIDRPools:
  - {name: one, cidrs: [10.244.64.0/18]}
  - {name: two, cidrs: ["fd00::/48"], nodeMaskSizes: {IPv6: 40}}
`;

describe('settings of pod CIDRs that cannot work', function () {
  this.timeout(60_000);
  // What is refused at the start never gets to ask an API server.
  const { open } = useInstallation();

  it('end the start with exit code 2 and every complaint at once', async () => {
    await using scenario = await open();
    const config = join(scenario.directory, 'configuration.yaml');
    await writeFile(config, configuration);
    const manager = await scenario.start({
      flags: [
        '--allocate-node-cidrs',
        '--cluster-cidr=10.244.0.0/16,10.245.0.0/16',
        '--service-cluster-ip-range=10.96.0.0/12,nonsense',
        '--node-cidr-mask-size-ipv4=8',
        `--config=${config}`,
      ],
    });
    assert.deepEqual(await manager.ended(), { code: 2, signal: null });
    assert.equal(manager.stdout, '');
    for (const complaint of [
      /--cluster-cidr: "10\.244\.0\.0\/16,10\.245\.0\.0\/16" has two IPv4 ranges/,
      /--service-cluster-ip-range.*nonsense/,
      /--node-cidr-mask-size-ipv4.*8/,
      /podCIDRPools\[0\]\.cidrs\[0\].*10\.244\.64\.0\/18 overlaps 10\.244\.0\.0\/16 of --cluster-cidr/,
      /podCIDRPools\[1\].*40/,
    ]) {
      assert.match(manager.stderr, complaint);
    }
  });
});
