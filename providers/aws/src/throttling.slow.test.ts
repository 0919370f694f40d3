/** A throttled account, behind the layer that all controllers ask through. */
import assert from 'node:assert/strict';
import { InstanceLookup } from '@tandem/provider/lookup';
import { createLogger, createMetrics, seededRandom } from '@tandem/runtime';
import { anInstance, throttled, withInstance } from '../../../test/support/ec2/index.ts';
import { openAWSWorld } from './aws.fixture.ts';

describe('a throttled account', () => {
  it('is asked once a minute after the first refusals, and answers when it recovers', async () => {
    await using world = await openAWSWorld();
    const { ec2, provider, clock } = world;
    ec2.state = withInstance(ec2.state, anInstance(1));
    const lookup = new InstanceLookup({
      provider,
      clock,
      random: seededRandom('throttled'),
      metrics: createMetrics(),
      logger: createLogger({ clock, destination: { write: () => {} } }),
    });
    const providerID = anInstance(1).id;
    const node = { name: 'node', uid: 'uid', providerID, labels: {}, systemUUID: '' };
    const ask = async (): Promise<string> => {
      const asking = lookup.ask(node, { maxAgeMs: 0, priority: 'urgent' });
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
});
