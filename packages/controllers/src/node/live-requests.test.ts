/**
 * A request that only a live read shows is refused only on an answer younger than the request (P3).
 */
import assert from 'node:assert/strict';
import { TransportError } from '@tandem/kube/transport';
import { intercepting, isWrite } from './transports.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

const ipv4 = { type: 'InternalIP', address: '10.0.0.1' };
const ipv6 = { type: 'InternalIP', address: 'fd00::1' };

/** A watch that delivers nothing while it is set to silent. */
async function* silenced(
  body: AsyncIterable<Uint8Array>,
  watch: { readonly isSilent: boolean },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) if (!watch.isSilent) yield chunk;
}

describe('a request that the cache does not show yet', () => {
  it('is not refused on an older answer after a live read because of a failed guard', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', cloud: [ipv4] });
    const watch = { isSilent: false };
    world.start({
      wrap: intercepting(async (request, pass) => {
        if (isWrite(request) && !watch.isSilent) {
          watch.isSilent = true;
          world.cloud.readdress('a', [ipv4, ipv6]);
          world.annotate('a', { 'tandem.dev/node-ip': 'IPv6' });
          world.change('a', (node) => ({
            ...node,
            status: { addresses: [{ type: 'Hostname', address: 'a.example' }] },
          }));
        }
        const response = await pass();
        if (!request.path.includes('watch=')) return response;
        return { ...response, body: silenced(response.body, watch) };
      }),
    });
    await world.clock.advance(70_000);
    assert.deepEqual(
      world.reasons('a').filter((reason) => reason !== 'Synced'),
      [],
    );
    assert.ok(world.cloud.counts.lookups >= 2, 'the cloud was asked again');
    assert.equal(world.node('a').addresses[0], 'InternalIP fd00::1');
  });

  it('is not refused on an older answer after a live read because of a write in doubt', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', cloud: [ipv4] });
    const line = { isCut: true, isSilent: false };
    const manager = world.start({
      wrap: intercepting(async (request, pass) => {
        const isAboutNode = isWrite(request) || /nodes\/a(?:$|[?/])/.test(request.path);
        if (line.isCut && isAboutNode) {
          line.isSilent = true;
          throw new TransportError('The connection was cut', {
            code: 'ConnectionLost',
            retry: 'backoff',
            effect: 'unknown',
          });
        }
        const response = await pass();
        if (!request.path.includes('watch=')) return response;
        return { ...response, body: silenced(response.body, line) };
      }),
    });
    await world.clock.advance(40_000);
    assert.ok(manager.messages().some((message) => message.startsWith('Work failed')));
    world.cloud.readdress('a', [ipv4, ipv6]);
    world.annotate('a', { 'tandem.dev/node-ip': 'IPv6' });
    line.isCut = false;
    await world.clock.advance(60_000);
    assert.ok(!world.reasons('a').includes('NoAddressOfFamily'));
    line.isSilent = false;
  });
});
