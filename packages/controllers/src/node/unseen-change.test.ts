/** A change that the cache never shows, because it was undone before the watch reconnected (M2). */
import assert from 'node:assert/strict';
import type { TransportRequest, TransportResponse } from '@tandem/kube/transport';
import { intercepting, isWrite, refusal } from './transports.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

const paused = 'tandem.dev/paused';

describe('a change that only a live read showed', () => {
  it('and that was undone before the watch reconnected does not leave the node paused', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    let isDeaf = false;
    let hasRefused = false;
    const wrap = intercepting(async (request, pass) => {
      if (isWrite(request) && !hasRefused) {
        hasRefused = true;
        // From here on the manager sees no change, and the node that it wrote to is paused.
        isDeaf = true;
        world.annotate('a', { [paused]: 'true' });
        return refusal({ code: 409, reason: 'Conflict', message: 'the object has been modified' });
      }
      if (!isOfList(request)) return pass();
      if (isDeaf) throw new Error('cut off');
      return cutWhen(() => isDeaf, await pass());
    });
    const manager = world.start({ wrap });
    await world.clock.advance(1_000);
    assert.deepEqual(world.reasons('a'), ['Paused']);
    world.annotate('a', { [paused]: null });
    await world.clock.advance(1_000);
    isDeaf = false;
    await world.clock.advance(60_000);
    assert.ok(world.node('a').isInitialised);
    await manager.stop();
  });
});

function isOfList({ method, path }: TransportRequest): boolean {
  return method === 'GET' && path.startsWith('/api/v1/nodes?');
}

function cutWhen(isCut: () => boolean, response: TransportResponse): TransportResponse {
  const body = async function* () {
    for await (const chunk of response.body) {
      if (isCut()) throw new Error('cut off');
      yield chunk;
    }
  };
  return { ...response, body: body() };
}
