/**
 * P4 and P7 over HTTPS: a chain of managers, each killed one call later than its predecessor, while new nodes
 * register. No block goes to two nodes, and the last manager, which is not killed, serves all nodes.
 */
import assert from 'node:assert/strict';
import type { Exchange } from '../../support/cutting-proxy/index.ts';
import type { ManagerProcess } from '../manager/manager-process.ts';
import type { AnyScene } from '../manager/scene.ts';
import { onEachServer } from '../manager/world.ts';
import {
  allocating,
  assertNoneShared,
  isAllocation,
  numbered,
  registerAll,
  untilAllocated,
} from './allocation.ts';

/** The Lease is read and taken, the nodes are listed, and every manager finds nodes to write to. */
const callsMax = 8;
const newNodes = 6;

const flags = allocating('10.244.0.0/16,fd00:10:244::/56');

interface Cut {
  readonly nth: number;
  readonly when: 'before' | 'after';
}

onEachServer('an allocating manager that is killed', function ({ open, it }) {
  this.timeout(180_000);

  /** Kills a manager at its nth call, before the server sees it or after the server has answered. */
  async function killAt(scene: AnyScene, { nth, when }: Cut): Promise<Exchange> {
    const proxy = await scene.proxy();
    const starting = Promise.withResolvers<ManagerProcess>();
    const killing = Promise.withResolvers<Exchange>();
    proxy.interfere({
      on: isCall,
      nth,
      when,
      async act(exchange): Promise<'drop'> {
        await (await starting.promise).kill();
        killing.resolve(exchange);
        return 'drop';
      },
    });
    const manager = await scene.start({ through: proxy, flags });
    starting.resolve(manager);
    await scene.until(() => !manager.isRunning);
    return killing.promise;
  }

  it('at any call leaves no block to two nodes, and the next one goes on', async () => {
    await using scene = await open();
    const names: string[] = [];
    const killedAt: string[] = [];
    for (const cut of allCuts()) {
      const coming = numbered(`killed-${cut.nth}-${cut.when}`, newNodes);
      names.push(...coming);
      await registerAll(scene, coming);
      const exchange = await killAt(scene, cut);
      killedAt.push(isAllocation(exchange) ? 'allocation' : `${exchange.method} ${exchange.path}`);
      assertNoneShared(scene);
      // Without its Lease the next manager does not wait, which is a story of its own: `hand-over.test.ts`.
      await scene.deleteLease();
    }
    await scene.start({ flags });
    await untilAllocated(scene, names);
    assertNoneShared(scene);
    assert.ok(killedAt.includes('GET /api/v1/nodes'), killedAt.join(', '));
    assert.ok(killedAt.filter((call) => call === 'allocation').length >= 8, killedAt.join(', '));
  });
});

function isCall({ kind }: Exchange): boolean {
  return kind === 'read' || kind === 'write';
}

function allCuts(): Cut[] {
  return Array.from({ length: callsMax }, (_, index) => index + 1).flatMap((nth): Cut[] => [
    { nth, when: 'before' },
    { nth, when: 'after' },
  ]);
}
