/**
 * P2 for namesakes: a node is deleted and another machine registers under its name, between any two
 * calls of its initialisation. The successor never gets an address of its predecessor's.
 */
import assert from 'node:assert/strict';
import { type CuttingProxy, type Exchange } from '../../support/cutting-proxy/index.ts';
import { internal, type Machine } from './inventory.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scene } from './scene.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { useWorld } from './world.ts';

/** More calls than an initialisation can have. */
const callsMax = 12;

const old = (index: number): string[] => [`10.2.0.${index}`, `fd00:2::${index}`];
const young = (index: number): string[] => [`10.3.0.${index}`, `fd00:3::${index}`];

describe('a node that is replaced during its initialisation', function () {
  const { open } = useWorld();
  this.timeout(180_000);

  interface Run {
    readonly scene: Scene;
    readonly proxy: CuttingProxy;
    readonly manager: ManagerProcess;
  }

  async function run(scene: Scene): Promise<Run> {
    const proxy = await scene.proxy();
    const flags = ['--leader-elect=false', '--controllers=cloud-node-controller'];
    return { scene, proxy, manager: await scene.start({ through: proxy, flags }) };
  }

  /**
   * Registers a node, has it replaced at its nth call, and waits until the successor is settled. Tells
   * whether there was such a call.
   */
  async function replaceAt(
    { scene, proxy }: Run,
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
    await scene.register({ name });
    // A call that is being held at the proxy has no status yet.
    const isQuiet = (): boolean =>
      proxy.exchanges.every((exchange) => !isAbout(exchange) || exchange.status !== undefined);
    await scene.until(() => isReplaced || (hasBeenTold(scene, name) && isQuiet()));
    await scene.until(() => scene.nodes.objects.has(name) && hasBeenTold(scene, name));
    undo();
    return isReplaced;
  }

  /** At no moment had the node of now an address that is not its own. */
  function assertOwn(scene: Scene, name: string, own: readonly string[]): void {
    const { uid } = scene.node(name).metadata;
    const states = scene.nodes.history.filter(({ metadata }) => metadata.uid === uid);
    for (const state of states) {
      assert.deepEqual(
        ipsOf(state).filter((ip) => !own.includes(ip)),
        [],
        `${name} had an address of its predecessor`,
      );
    }
    assert.deepEqual(ipsOf(scene.node(name)), own);
  }

  it('never gets its predecessor’s addresses, when it registers for another instance', async () => {
    const cuts = allCuts('other');
    const machines = cuts.flatMap(({ name }, index) => [
      { name, addresses: internal(...old(index)) },
      { name: `${name}-successor`, addresses: internal(...young(index)) },
    ]);
    await using scene = await open({ machines });
    const running = await run(scene);
    let count = 0;
    for (const [index, cut] of cuts.entries()) {
      const { name } = cut;
      const isReplaced = await replaceAt(running, cut, async () => {
        await scene.deleteNode(name);
        await scene.register({ name, providerID: `static:///${name}-successor` });
      });
      if (!isReplaced) break;
      count += 1;
      assertOwn(scene, name, young(index));
      assert.equal(scene.node(name).spec.providerID, `static:///${name}-successor`);
    }
    assert.ok(count >= 6 && count < cuts.length, `replaced at ${count} points`);
  });

  it('never gets them, when the inventory has another machine of its name by then', async () => {
    const cuts = allCuts('same');
    const machines = cuts.map(({ name }, index): Machine => ({
      name,
      addresses: internal(...old(index)),
    }));
    await using scene = await open({ machines });
    const running = await run(scene);
    let count = 0;
    for (const [index, cut] of cuts.entries()) {
      const { name } = cut;
      const isReplaced = await replaceAt(running, cut, async () => {
        await scene.deleteNode(name);
        machines[index] = {
          name,
          providerID: `static:///young/${name}`,
          addresses: internal(...young(index)),
        };
        await rewrite(running, machines);
        await scene.register({ name });
      });
      if (!isReplaced) break;
      count += 1;
      assertOwn(scene, name, young(index));
      assert.equal(scene.node(name).spec.providerID, `static:///young/${name}`);
    }
    running.manager.assertRunning();
    assert.ok(count >= 6 && count < cuts.length, `replaced at ${count} points`);
  });

  /** Writes the inventory and waits until the manager has read it. */
  async function rewrite({ scene, manager }: Run, machines: readonly Machine[]): Promise<void> {
    const reads = (): number => manager.log.filter(({ msg }) => msg === 'Read inventory').length;
    const before = reads();
    await scene.inventory.write(machines);
    await scene.until(() => reads() > before);
  }
});

function allCuts(
  prefix: string,
): { readonly nth: number; readonly when: 'before' | 'after'; readonly name: string }[] {
  return Array.from({ length: callsMax }, (_, index) => index + 1).flatMap((nth) =>
    (['before', 'after'] as const).map((when) => ({ nth, when, name: `${prefix}-${nth}-${when}` })),
  );
}

function hasBeenTold(scene: Scene, name: string): boolean {
  if (!scene.nodes.objects.has(name)) return false;
  const isTold = scene.eventsOf(name).some(({ reason }) => reason === 'Synced');
  return isTold && !hasTaint(scene.node(name));
}
