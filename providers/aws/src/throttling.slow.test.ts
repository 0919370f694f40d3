/** Tests a throttled account through the layers that all controllers use. */
import assert from 'node:assert/strict';
import { CallRate } from '@tandem/provider/calls';
import { InstanceLookup } from '@tandem/provider/lookup';
import type { NodeRef } from '@tandem/provider/plug';
import { RouteTables } from '@tandem/provider/routes';
import { createLogger, createMetrics, sleep } from '@tandem/runtime';
import { seededRandom, type VirtualClock } from '@tandem/runtime/testing';
import {
  anInstance,
  aTable,
  throttled,
  withInstance,
  withTable,
} from '../../../test/support/ec2/index.ts';
import { type AWSWorld, openAWSWorld, untilStill } from './aws.fixture.ts';

const { signal } = new AbortController();

describe('a throttled account', () => {
  it('gets about one call a minute after the first refusals, and answers when it recovers', async () => {
    await using world = await openAWSWorld();
    const { ec2, clock } = world;
    ec2.state = withInstance(ec2.state, anInstance(1));
    const lookup = lookupOf(world);
    const ask = async (): Promise<string> => {
      const asking = lookup.ask(aNode(1), { maxAgeMs: 0, priority: 'urgent' });
      await clock.advance(1_000);
      return (await asking).kind;
    };
    ec2.fault = throttled;
    for (let second = 0; second < 300; second++) assert.equal(await ask(), 'unknown');
    assert(ec2.calls.length >= 4, `only ${ec2.calls.length} calls in five minutes`);
    assert(ec2.calls.length <= 6, `${ec2.calls.length} throttled calls in five minutes`);
    ec2.fault = undefined;
    let waitedSeconds = 0;
    while ((await ask()) !== 'found') waitedSeconds++;
    assert(waitedSeconds <= 60, `found only after ${waitedSeconds} s`);
    lookup.close();
  });

  it('still gives every node its instance and its routes, with at most one throttled call per action and minute after the first', async () => {
    await using world = await openAWSWorld();
    const { ec2, clock } = world;
    const numbers = Array.from({ length: 600 }, (_, index) => index + 1);
    for (const number of numbers) ec2.state = withInstance(ec2.state, anInstance(number));
    ec2.state = withTable(ec2.state, aTable(1));
    // The rates that other users of the account leave, per minute.
    const left = {
      DescribeInstances: 3,
      DescribeRouteTables: 1,
      CreateRoute: 8,
      ModifyNetworkInterfaceAttribute: 6,
    };
    for (const [action, aMinute] of Object.entries(left)) {
      ec2.quotas.set(action, new CallRate(clock, { callsPerSecond: aMinute / 60, burst: 2 }));
    }
    const lookup = lookupOf(world);
    const found = Promise.all(numbers.map((number) => untilFound(lookup, aNode(number), clock)));
    const routed = untilRouted(world, numbers.slice(0, 20));
    await untilSettled(world, Promise.all([found, routed]));
    assert.equal(ec2.state.tables.get(aTable(1).id)?.routes.length, 40);
    const actions = new Set(ec2.throttled.map(({ action }) => action));
    assert(actions.size >= 3, `only ${[...actions].join(', ')} were throttled`);
    for (const action of actions) {
      const [first = 0, ...later] = ec2.throttled
        .filter((one) => one.action === action)
        .map(({ atMs }) => atMs);
      // Concurrent calls are refused together.
      const counted = later.filter((atMs) => atMs > first + 1_000);
      for (const [index, atMs] of counted.slice(1).entries()) {
        const sinceMs = atMs - (counted[index] ?? 0);
        assert(sinceMs >= 60_000, `${action} was throttled twice within ${sinceMs} ms`);
      }
    }
    lookup.close();
  });
});

function lookupOf({ provider, clock }: AWSWorld): InstanceLookup {
  return new InstanceLookup({
    provider,
    clock,
    random: seededRandom('throttled'),
    metrics: createMetrics(),
    logger: createLogger({ clock, destination: { write: () => {} } }),
  });
}

function aNode(number: number): NodeRef {
  const { id } = anInstance(number);
  return { name: id, uid: `uid of ${id}`, providerID: id, labels: {}, systemUUID: '' };
}

/** Looks up repeatedly, after the waits that the answers name, as a controller does. */
async function untilFound(
  lookup: InstanceLookup,
  node: NodeRef,
  clock: VirtualClock,
): Promise<void> {
  for (;;) {
    const answer = await lookup.ask(node, { maxAgeMs: 60_000 });
    if (answer.kind === 'found') return;
    assert(answer.kind === 'unknown');
    await sleep(clock, typeof answer.err.retry === 'object' ? answer.err.retry.afterMs : 1_000);
  }
}

async function untilRouted(
  { provider, clock }: AWSWorld,
  numbers: readonly number[],
): Promise<void> {
  const routes = provider.routes ?? assert.fail('there are no routes');
  const tables = new RouteTables({ provider, routes, clock, metrics: createMetrics() });
  const wanted = new Map(
    numbers.flatMap((number) =>
      [`10.244.${number}.0/24`, `fd00:10:244:${number}::/64`].map(
        (destination) => [destination, number] as const,
      ),
    ),
  );
  while (wanted.size > 0) {
    await sleep(clock, 1_000);
    const operations = Array.from(wanted, ([destination, number]) => ({
      kind: 'create' as const,
      table: aTable(1).id,
      destination,
      to: { key: anInstance(number).id, name: `node-${number}`, addresses: {} },
    }));
    const results = await tables.apply(operations, { signal, beforeWrite: () => {} });
    for (const [index, result] of results.entries()) {
      if (result.kind === 'applied') wanted.delete(operations[index]?.destination ?? '');
    }
    await tables.list(signal);
  }
}

/** Advances the clock until the work ends, but only while the fake has no unanswered call. */
async function untilSettled({ ec2, clock }: AWSWorld, work: Promise<unknown>): Promise<void> {
  const state = { isSettled: false };
  const done = work.finally(() => {
    state.isSettled = true;
  });
  while (!state.isSettled) {
    await clock.advance(1_000);
    await untilStill(ec2, 0);
  }
  await done;
}
