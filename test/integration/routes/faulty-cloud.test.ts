/**
 * Routes on a cloud that is slow, throttles, loses answers, spells IPv6 in odd ways, lists routes before they
 * forward and has little room, beside routes of others: the tables end exactly as the nodes want them (T1–T5).
 */
import assert from 'node:assert/strict';
import { noRouteFaults } from '../../support/simulated-cloud.ts';
import { networkConditionOf } from '../manager/seen-node.ts';
import { useInstallation } from '../manager/installation.ts';
import { blocks, join, leave, routing, untilRouted, watchChanges, watchWrites } from './routed.ts';
import { ServedCloud } from './served-cloud.ts';

const tables = ['main', 'zone'];
/** Inside the cluster's ranges, outside of them, and to no CIDR at all. */
const others = ['10.244.200.0/24', '192.0.2.0/24', 'pl-1a2b3c4d'];

describe('routes on a cloud in trouble', function () {
  this.timeout(180_000);
  const { open } = useInstallation();

  it('end exactly as the nodes want them, and routes of others stay', async () => {
    await using scenario = await open();
    await using served = await ServedCloud.start({
      routes: {
        // For six nodes beside the routes of others; the seventh waits.
        tables: [{ id: 'main', capacity: 15 }, { id: 'zone' }],
        latencyMs: { min: 1, max: 40 },
        faults: {
          throttle: 0.005,
          failure: 0.1,
          failureAfter: 0.1,
          lostBefore: 0.02,
          lostAfter: 0.05,
        },
        unreadyShare: 0.3,
        spellsOddly: true,
      },
    });
    for (const destination of others) served.cloud.routes?.addForeign('main', destination);
    const told = { scenario, served };
    const wrong = watchChanges(told);
    const proxy = await scenario.proxy();
    const early = watchWrites(proxy, told, tables);

    for (let at = 0; at < 7; at++) await join(told, `node-${at}`, blocks(at));
    const provider = await served.flags(scenario.directory);
    await scenario.start({ through: proxy, provider, flags: routing });
    // Six of them have room. Which of them waits is left to the plan.
    await scenario.until(() => served.routes('main').length === 15);
    const names = [...scenario.nodes.objects.keys()];
    await scenario.until(() =>
      names.some((name) =>
        scenario
          .eventsOf(name)
          .some(({ reason, note }) => reason === 'FailedToCreateRoute' && /is full/.test(note)),
      ),
    );

    // The machine of one is replaced under its name, and another one leaves for good.
    await leave(told, 'node-0');
    await leave(told, 'node-1');
    await join(told, 'node-0', blocks(8));
    await scenario.until(() =>
      served.routes('main').some((route) => route.startsWith('10.244.8.0')),
    );

    served.set({ faults: noRouteFaults });
    await untilRouted(told, { tables, others });
    assert.deepEqual([wrong, early], [[], []]);

    // All is as it should be: a look at the tables now and then, and not one change.
    const questions = served.questions.length;
    await scenario.until(() => served.questions.length >= questions + 2);
    const since = served.questions.slice(questions);
    assert.deepEqual([...new Set(since.map(({ kind }) => kind))], ['list']);
  });

  it('of one family leave dual-stack nodes available where the cloud cannot route the other', async () => {
    await using scenario = await open();
    await using served = await ServedCloud.start({ routes: { families: ['IPv4'] } });
    const told = { scenario, served };
    await join(told, 'dual-0', blocks(0));
    await join(told, 'dual-1', blocks(1));
    const provider = await served.flags(scenario.directory);
    const manager = await scenario.start({ provider, flags: routing });
    const available = (): boolean =>
      ['dual-0', 'dual-1'].every(
        (name) => networkConditionOf(scenario.node(name)) === 'False RouteCreated',
      );
    await scenario.until(available);
    assert.deepEqual(
      served.routes().map((route) => route.split(' ')[0]),
      [blocks(0)[0], blocks(1)[0]],
    );
    await manager.says(/^Problem with a route table$/, {
      reason:
        'The cloud cannot route IPv6. Nodes with IPv6 podCIDRs: 2. They get no IPv6 routes and count as available without them.',
    });
  });
});
