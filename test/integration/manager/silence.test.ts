/**
 * P5 over HTTPS: nodes that are as they should be are not written to, however often kubelets
 * report, the cloud is asked again, or the manager is started anew.
 */
import assert from 'node:assert/strict';
import type { Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine, internal, type Machine } from './inventory.ts';
import { ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

describe('a converged cluster', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('sees no writes, through heartbeats, looks at the cloud and a restart', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `calm-${index}`);
    const calm = names.map((name, index) =>
      aMachine(name, index + 1, { zone: 'rack1', region: 'dc1', instanceType: 'r640' }),
    );
    const machines = (address: string): Machine[] => [
      ...calm,
      { name: 'moving', addresses: internal(address) },
    ];
    await using scenario = await open({ machines: machines('10.7.0.1') });
    const kubelets = await Promise.all(names.map((name) => scenario.register({ name })));
    await scenario.register({ name: 'moving' });
    const proxy = await scenario.proxy();
    const flags = ['--node-status-update-frequency=1s'];
    const first = await scenario.start({ through: proxy, flags });
    for (const name of [...names, 'moving']) await scenario.untilSaid(name, 'Synced');
    const converged = proxy.writes.length;

    for (let count = 0; count < 3; count += 1) {
      await Promise.all(kubelets.map((kubelet) => kubelet.heartbeat()));
    }
    // The cloud is asked about all of them again and again: once one shows its new address, twice.
    for (const address of ['10.7.0.2', '10.7.0.3']) {
      await scenario.inventory.write(machines(address));
      await scenario.until(() => ipsOf(scenario.node('moving'))[0] === address);
    }
    await first.stop();
    const second = await scenario.start({ through: proxy, flags });
    await scenario.inventory.write(machines('10.7.0.4'));
    await scenario.until(() => ipsOf(scenario.node('moving'))[0] === '10.7.0.4');
    second.assertRunning();
    assert.deepEqual(proxy.writes.slice(converged).filter(isAboutCalm), []);
  });
});

function isAboutCalm({ path, body }: Exchange): boolean {
  return path.includes('/calm-') || body.includes('"calm-');
}
