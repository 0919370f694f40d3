/**
 * P2 for namesakes: a node is deleted and another machine registers under its name, between any two
 * calls of its initialisation. The successor never gets an address of its predecessor's.
 */
import assert from 'node:assert/strict';
import { type CuttingProxy, type Exchange } from '../../support/cutting-proxy/index.ts';
import { internal, type Machine } from './inventory.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scenario } from './scenario.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

/** More calls than an initialisation can have. */
const callsMax = 12;

const old = (index: number): string[] => [`10.2.0.${index}`, `fd00:2::${index}`];
const young = (index: number): string[] => [`10.3.0.${index}`, `fd00:3::${index}`];

describe('a node that is replaced during its initialisation', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  interface Run {
    readonly scenario: Scenario;
    readonly proxy: CuttingProxy;
    readonly manager: ManagerProcess;
  }

  async function run(scenario: Scenario): Promise<Run> {
    const proxy = await scenario.proxy();
    const flags = ['--leader-elect=false', '--controllers=cloud-node-controller'];
    return { scenario, proxy, manager: await scenario.start({ through: proxy, flags }) };
  }

  /**
   * Registers a node, has it replaced at its nth call, and waits until the successor is settled. Tells
   * whether there was such a call.
   */
  async function replaceAt(
    { scenario, proxy }: Run,
    cut: { readonly nth: number; readonly when: 'before' | 'after'; readonly name: string },
    replace: () => Promise<void>,
  ): Promise<boolean> {
    const { name } = cut;
    let isReplaced = false;
    const isAbout = ({ kind, path, body }: Exchange): boolean =>
      kind !== 'watch' && (path.includes(`/${name}`) || body.includes(`"${name}"`));
    const undo = proxy.interfere({
      ...cut,
      on: isAbout,
      async act(): Promise<'pass'> {
        await replace();
        isReplaced = true;
        return 'pass';
      },
    });
    await scenario.register({ name });
    // A call that is being held at the proxy has no status yet.
    const isQuiet = (): boolean =>
      proxy.exchanges.every((exchange) => !isAbout(exchange) || exchange.status !== undefined);
    await scenario.until(() => isReplaced || (hasBeenTold(scenario, name) && isQuiet()));
    await scenario.until(() => scenario.nodes.objects.has(name) && hasBeenTold(scenario, name));
    undo();
    return isReplaced;
  }

  /** At no moment had the node of now an address that is not its own. */
  function assertOwn(scenario: Scenario, name: string, own: readonly string[]): void {
    const { uid } = scenario.node(name).metadata;
    const states = scenario.nodes.history.filter(({ metadata }) => metadata.uid === uid);
    for (const state of states) {
      assert.deepEqual(
        ipsOf(state).filter((ip) => !own.includes(ip)),
        [],
        `${name} had an address of its predecessor`,
      );
    }
    assert.deepEqual(ipsOf(scenario.node(name)), own);
  }

  it('never gets its predecessor’s addresses, when it registers for another instance', async () => {
    const cuts = allCuts('other');
    const machines = cuts.flatMap(({ name }, index) => [
      { name, addresses: internal(...old(index)) },
      { name: `${name}-successor`, addresses: internal(...young(index)) },
    ]);
    await using scenario = await open({ machines });
    const running = await run(scenario);
    let count = 0;
    for (const [index, cut] of cuts.entries()) {
      const { name } = cut;
      const isReplaced = await replaceAt(running, cut, async () => {
        await scenario.deleteNode(name);
        await scenario.register({ name, providerID: `static:///${name}-successor` });
      });
      if (!isReplaced) break;
      count += 1;
      assertOwn(scenario, name, young(index));
      assert.equal(scenario.node(name).spec.providerID, `static:///${name}-successor`);
    }
    assert.ok(count >= 6 && count < cuts.length, `replaced at ${count} points`);
  });

  it('never gets them, when the inventory has another machine of its name by then', async () => {
    const cuts = allCuts('same');
    const machines = cuts.map(({ name }, index): Machine => ({
      name,
      addresses: internal(...old(index)),
    }));
    await using scenario = await open({ machines });
    const running = await run(scenario);
    let count = 0;
    for (const [index, cut] of cuts.entries()) {
      const { name } = cut;
      const isReplaced = await replaceAt(running, cut, async () => {
        await scenario.deleteNode(name);
        machines[index] = {
          name,
          providerID: `static:///young/${name}`,
          addresses: internal(...young(index)),
        };
        await rewrite(running, machines);
        await scenario.register({ name });
      });
      if (!isReplaced) break;
      count += 1;
      assertOwn(scenario, name, young(index));
      assert.equal(scenario.node(name).spec.providerID, `static:///young/${name}`);
    }
    running.manager.assertRunning();
    assert.ok(count >= 6 && count < cuts.length, `replaced at ${count} points`);
  });

  /** Writes the inventory and waits until the manager has read it. */
  async function rewrite({ scenario, manager }: Run, machines: readonly Machine[]): Promise<void> {
    const reads = (): number => manager.log.filter(({ msg }) => msg === 'Read inventory').length;
    const before = reads();
    await scenario.inventory.write(machines);
    await scenario.until(() => reads() > before);
  }
});

function allCuts(
  prefix: string,
): { readonly nth: number; readonly when: 'before' | 'after'; readonly name: string }[] {
  return Array.from({ length: callsMax }, (_, index) => index + 1).flatMap((nth) =>
    (['before', 'after'] as const).map((when) => ({ nth, when, name: `${prefix}-${nth}-${when}` })),
  );
}

function hasBeenTold(scenario: Scenario, name: string): boolean {
  if (!scenario.nodes.objects.has(name)) return false;
  const isTold = scenario.eventsOf(name).some(({ reason }) => reason === 'Synced');
  return isTold && !hasTaint(scenario.node(name));
}
