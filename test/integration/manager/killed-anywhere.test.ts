/**
 * P1 and P7 over HTTPS: the manager is killed at every call of an initialisation, before the
 * server sees it and after it has answered, and whatever it leaves behind is safe and is finished by
 * the next one. A watch sees every state in between.
 */
import assert from 'node:assert/strict';
import type { Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from './inventory.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scenario } from './scenario.ts';
import { addressesOf, hasTaint, isUnsafe } from './seen-node.ts';
import { useInstallation } from './installation.ts';

/** More calls than an initialisation can have. */
const callsMax = 12;

const alone = ['--leader-elect=false', '--controllers=cloud-node-controller'];

describe('a manager that is killed', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  /**
   * Kills a manager at its nth call about nodes or events, before or after the effect. Tells whether it got
   * that far: false when the node was initialised, and told of, in fewer calls.
   */
  async function killAt(scenario: Scenario, cut: Cut, name: string): Promise<boolean> {
    const proxy = await scenario.proxy();
    const starting = Promise.withResolvers<ManagerProcess>();
    proxy.interfere({
      on: isOfInitialisation,
      nth: cut.nth,
      when: cut.when,
      async act(): Promise<'drop'> {
        await (await starting.promise).kill();
        return 'drop';
      },
    });
    const manager = await scenario.start({ through: proxy, flags: alone });
    starting.resolve(manager);
    // A call that waits for its end at the proxy has no status yet.
    const isQuiet = (): boolean =>
      proxy.exchanges.every((call) => !isOfInitialisation(call) || call.status !== undefined);
    await scenario.until(() => !manager.isRunning || (hasBeenTold(scenario, name) && isQuiet()));
    return !manager.isRunning;
  }

  it('at any call of an initialisation leaves a safe node, which the next one finishes', async () => {
    const cuts = allCuts();
    const names = new Map(cuts.map((cut, index) => [cut, `killed-${index}`]));
    const machines = [...names.values()].map((name, index) => aMachine(name, index + 1));
    await using scenario = await open({ machines });
    const killed: string[] = [];
    for (const cut of cuts) {
      const name = names.get(cut) ?? '';
      await scenario.register({ name });
      if (!(await killAt(scenario, cut, name))) break;
      killed.push(`${cut.when} call ${cut.nth}`);
      assert.ok(!isUnsafe(scenario.node(name)));
      const next = await scenario.start({ flags: alone });
      await scenario.untilInitialised([name]);
      const number = Number(name.split('-')[1]) + 1;
      assert.deepEqual(addressesOf(scenario.node(name)), [
        `InternalIP 10.1.0.${number}`,
        `InternalIP fd00:1::${number.toString(16)}`,
        `Hostname ${name}`,
      ]);
      assert.equal(scenario.node(name).spec.providerID, `static:///${name}`);
      await next.kill();
    }
    scenario.assertSafe();
    // Two writes and an event, each before and after.
    assert.ok(killed.length >= 6, `it was only killed ${killed.join(', ')}`);
    assert.ok(killed.length < cuts.length, 'an initialisation takes more calls than were tried');
  });
});

function isOfInitialisation({ kind, path }: Exchange): boolean {
  return kind !== 'watch' && /\/(?:nodes|events)(?:\/|$)/.test(path);
}

interface Cut {
  readonly nth: number;
  readonly when: 'before' | 'after';
}

function allCuts(): Cut[] {
  return Array.from({ length: callsMax }, (_, index) => index + 1).flatMap((nth): Cut[] => [
    { nth, when: 'before' },
    { nth, when: 'after' },
  ]);
}

function hasBeenTold(scenario: Scenario, name: string): boolean {
  const isTold = scenario.eventsOf(name).some(({ reason }) => reason === 'Synced');
  return isTold && !hasTaint(scenario.node(name));
}
