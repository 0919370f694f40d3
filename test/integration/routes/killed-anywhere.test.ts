/**
 * P7 for routes: a chain of managers, each killed at a later call to the cloud or to the API server than its
 * predecessor, before the call has its effect or after it, while nodes come and go. Whatever they leave behind, no
 * rule is broken, and the last manager, which is not killed, reaches exactly the wanted table.
 */
import assert from 'node:assert/strict';
import type { Exchange } from '../../support/cutting-proxy/index.ts';
import type { ManagerProcess } from '../manager/manager-process.ts';
import { useWorld } from '../manager/world.ts';
import {
  blocks,
  join,
  leave,
  routing,
  type Told,
  untilRouted,
  watchChanges,
  watchWrites,
} from './routed.ts';
import type { CloudQuestion } from './cloud-wire.ts';
import { ServedCloud } from './served-cloud.ts';

const others = ['10.244.200.0/24', '192.0.2.0/24'];

/** A call of a pass. The condition is the write that says that the routes are there. */
interface Cut {
  readonly at: 'list' | 'create' | 'replace' | 'delete' | 'condition';
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/** Both families have a route, so that the second of two is another state than the first. */
const calls: readonly Omit<Cut, 'when'>[] = [
  { at: 'list', nth: 1 },
  { at: 'create', nth: 1 },
  { at: 'create', nth: 2 },
  { at: 'replace', nth: 1 },
  { at: 'replace', nth: 2 },
  { at: 'delete', nth: 1 },
  { at: 'delete', nth: 2 },
  { at: 'condition', nth: 1 },
];
const cuts = calls.flatMap((call): Cut[] => [
  { ...call, when: 'before' },
  { ...call, when: 'after' },
]);

describe('a manager of routes that is killed', function () {
  this.timeout(180_000);
  const { open } = useWorld();

  /** Starts a manager and kills it at the cut. What it broke until then comes back. */
  async function killAt(told: Told, { at, nth, when }: Cut): Promise<string[]> {
    const { scene, served } = told;
    const proxy = await scene.proxy();
    const broken = watchWrites(proxy, told);
    const starting = Promise.withResolvers<ManagerProcess>();
    const kill = async (): Promise<void> => void (await (await starting.promise).kill());
    proxy.interfere({
      on: (exchange) => at === 'condition' && isCreated(exchange),
      nth,
      when,
      act: () => kill().then((): 'drop' => 'drop'),
    });
    const undo = served.cut({
      on: (question) => callOf(question) === at,
      nth,
      when,
      act: () => kill().then((): 'hang' => 'hang'),
    });
    const provider = await served.flags(scene.directory);
    const manager = await scene.start({ through: proxy, provider, flags: routing });
    starting.resolve(manager);
    await scene.until(() => !manager.isRunning);
    undo();
    return broken;
  }

  it('at any call leaves a table from which the next one reaches what is wanted', async () => {
    await using scene = await open();
    await using served = await ServedCloud.start();
    for (const destination of others) served.cloud.routes?.addForeign('main', destination);
    const told = { scene, served };
    const wrong = watchChanges(told);
    const provider = await served.flags(scene.directory);
    // Nodes whose routes are there, for managers to delete.
    for (let at = 0; at < cuts.length; at++) await join(told, `old-${at}`, blocks(at));
    const first = await scene.start({ provider, flags: routing });
    await untilRouted(told, { others });
    await first.stop();

    const early: string[] = [];
    for (const [index, cut] of cuts.entries()) {
      await leave(told, `old-${index}`);
      // A node that has the block of the one that left needs its routes replaced.
      const block = cut.at === 'replace' ? index : 100 + index;
      await join(told, `new-${index}`, blocks(block));
      early.push(...(await killAt(told, cut)));
    }
    const proxy = await scene.proxy();
    const late = watchWrites(proxy, told);
    await scene.start({ through: proxy, provider, flags: routing });
    await untilRouted(told, { others });
    assert.deepEqual([wrong, early, late], [[], [], []]);
  });
});

function callOf(question: CloudQuestion): string {
  return question.kind === 'change' ? question.operation.kind : question.kind;
}

function isCreated({ method, path, body }: Exchange): boolean {
  return method === 'PATCH' && path.endsWith('/status') && body.includes('"RouteCreated"');
}
