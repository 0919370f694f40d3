/**
 * P7 for routes: a chain of managers, killed at every kind of call to the cloud and to the API server, before the
 * call has its effect and after it, while nodes come and go. Whatever they leave behind, no rule is broken, and the
 * last manager, which is not killed, reaches exactly the wanted table.
 */
import assert from 'node:assert/strict';
import { type Call, KillPoints, type ManagerRun } from '../manager/kill-points.ts';
import { useInstallation } from '../manager/installation.ts';
import type { CloudQuestion } from './cloud-wire.ts';
import {
  blocks,
  isRouted,
  join,
  leave,
  routing,
  type RoutedCluster,
  untilRouted,
  watchChanges,
  watchWrites,
} from './routed.ts';
import { ServedCloud } from './served-cloud.ts';

const others = ['10.244.250.0/24', '192.0.2.0/24'];

/** Nodes that are there from the beginning. Two of them leave before each manager starts. */
const oldNodes = 120;

/** Beside what the recording finds: without these calls it would be no recording of this story. */
const known = [
  'at a lookup',
  'at a list',
  ...['create', 'replace', 'delete'].flatMap((kind) => [
    `before the first ${kind}`,
    `after the first ${kind}`,
    `before a later ${kind}`,
    `after a later ${kind}`,
  ]),
];

describe('a manager of routes that is killed', function () {
  this.timeout(180_000);
  const { open } = useInstallation();

  it('at any call leaves a table from which the next one reaches what is wanted', async () => {
    await using scenario = await open();
    await using served = await ServedCloud.start();
    for (const destination of others) served.cloud.routes?.addForeign('main', destination);
    const told = { scenario, served };
    const proxy = await scenario.proxy();
    const broken = [watchChanges(told), watchWrites(proxy, told)];
    const provider = await served.flags(scenario.directory);
    const life: ManagerRun = {
      start: () =>
        scenario.start({ through: proxy, provider, flags: [...routing, '--leader-elect=true'] }),
      isDone: () => isRouted(told, { others }),
    };
    const kills = new KillPoints(scenario);
    await Promise.all(
      Array.from({ length: oldNodes }, (_, at) => join(told, `old-${at}`, blocks(at))),
    );
    // What a cluster has whose nodes come and go: their first routes are another story.
    await kills.record(life);
    kills.watch(proxy);
    watchQuestions(served, kills);
    // With a Lease that was released, and without any.
    for (let round = 0; round < 2; round++) {
      await moveNodes(told, round);
      await kills.record(life);
      await scenario.deleteLease();
    }
    assert.deepEqual(
      known.filter((point) => !kills.points.includes(point)),
      [],
    );
    for (let round = 2; kills.left.length > 0; round++) {
      await moveNodes(told, round);
      await kills.kill(life);
    }
    await life.start();
    await untilRouted(told, { others });
    assert.deepEqual(broken, [[], []]);
  });
});

/** One block loses its node, one goes from a node to another one, and one is new. */
async function moveNodes(told: RoutedCluster, round: number): Promise<void> {
  const [gone, heir] = [2 * round, 2 * round + 1];
  assert.ok(heir < oldNodes, 'there are more calls than nodes for them');
  await Promise.all([
    leave(told, `old-${gone}`),
    leave(told, `old-${heir}`),
    join(told, `heir-${round}`, blocks(heir)),
    join(told, `new-${round}`, blocks(oldNodes + round)),
  ]);
}

function watchQuestions(served: ServedCloud, kills: KillPoints): void {
  for (const when of ['before', 'after'] as const) {
    const act = async (question: CloudQuestion): Promise<'pass' | 'hang'> =>
      (await kills.meet(question, { ...callOf(question), when })) ? 'hang' : 'pass';
    served.interfere({ on: () => true, when, act });
  }
}

function callOf(question: CloudQuestion): Call {
  return question.kind === 'change'
    ? { kind: question.operation.kind, effect: 'state' }
    : { kind: question.kind, effect: 'none' };
}
