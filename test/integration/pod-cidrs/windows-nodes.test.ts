/**
 * Windows nodes, which many network plugins give smaller blocks than Linux nodes: a pool of their own, chosen
 * by the label that every kubelet sets. They never take a block of the other pool, nor the others one of theirs.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scenario } from '../manager/scenario.ts';
import { useInstallation } from '../manager/installation.ts';
import {
  allocating,
  assertNoneShared,
  numbered,
  podCIDRsOf,
  untilAllocated,
} from './allocation.ts';

const configuration = `apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
podCIDRPools:
  - name: windows
    selector: {matchLabels: {kubernetes.io/os: windows}}
    cidrs: [10.245.0.0/24, "fd00:10:245::/56"]
    nodeMaskSizes: {IPv4: 26, IPv6: 64}
`;

describe('Windows nodes', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  async function register(
    scenario: Scenario,
    os: 'linux' | 'windows',
    names: readonly string[],
  ): Promise<void> {
    for (const name of names) await scenario.register({ name, labels: { 'kubernetes.io/os': os } });
  }

  it('get blocks of their own pool and size, beside Linux nodes', async () => {
    await using scenario = await open();
    const config = join(scenario.directory, 'configuration.yaml');
    await writeFile(config, configuration);
    const flags = allocating('10.244.0.0/16,fd00:10:244::/56', `--config=${config}`);
    const manager = await scenario.start({ flags });
    const [linux, windows] = [numbered('linux', 3), numbered('windows', 4)];
    await register(scenario, 'linux', linux);
    await register(scenario, 'windows', windows);
    await untilAllocated(scenario, [...linux, ...windows]);
    const allOf = (names: readonly string[]): string[] =>
      names.map((name) => podCIDRsOf(scenario.node(name)).join(' ')).toSorted();
    assert.deepEqual(allOf(linux), [
      '10.244.0.0/24 fd00:10:244::/64',
      '10.244.1.0/24 fd00:10:244:1::/64',
      '10.244.2.0/24 fd00:10:244:2::/64',
    ]);
    assert.deepEqual(allOf(windows), [
      '10.245.0.0/26 fd00:10:245::/64',
      '10.245.0.128/26 fd00:10:245:2::/64',
      '10.245.0.192/26 fd00:10:245:3::/64',
      '10.245.0.64/26 fd00:10:245:1::/64',
    ]);
    assertNoneShared(scenario);

    await register(scenario, 'windows', ['windows-4']);
    const { note } = await scenario.untilSaid('windows-4', 'CIDRNotAvailable');
    assert.match(note, /^Pool windows \(.*\) has no free \/26 in 10\.245\.0\.0\/24/);
    await register(scenario, 'linux', ['linux-3']);
    await untilAllocated(scenario, ['linux-3']);
    assert.deepEqual(podCIDRsOf(scenario.node('windows-4')), []);
    manager.assertRunning();
  });
});
