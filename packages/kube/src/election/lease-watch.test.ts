/** Tests the watch of a Lease: what it reports, and when it is opened again. */
import assert from 'node:assert/strict';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import type { KubeClient, StreamCall } from '../client/index.ts';
import { watchLease } from './lease-watch.ts';

describe('the watch of a Lease', () => {
  let clock: VirtualClock;
  let opened: { atMs: number; call: StreamCall }[];
  let reports: string[];

  beforeEach(() => {
    clock = virtualClock();
    opened = [];
    reports = [];
  });

  /** Watches a server that answers each request with these chunks, and then closes or stays silent. */
  function watch(chunks: readonly Uint8Array[], end: 'closes' | 'stays silent'): AbortController {
    const stop = new AbortController();
    const client: KubeClient = {
      call: () => assert.fail('a watch makes no calls'),
      open: async (call) => {
        opened.push({ atMs: clock.monotonic(), call });
        return { headers: {}, body: bodyOf(chunks, end, call.signal) };
      },
    };
    const options = {
      client,
      clock,
      random: seededRandom('watch'),
      lease: { namespace: 'kube-system', name: 'ccm' },
      silenceMsMax: 30_000,
      retryMs: 2_000,
      onChanged: ({ holderIdentity }: { holderIdentity: string }) => reports.push(holderIdentity),
      onDeleted: () => reports.push('deleted'),
      onFailed: () => reports.push('failed'),
    };
    void watchLease(options, stop.signal).then(() => reports.push('ended'));
    return stop;
  }

  async function* bodyOf(
    chunks: readonly Uint8Array[],
    end: 'closes' | 'stays silent',
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield chunk;
    if (end === 'stays silent') {
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    }
  }

  const event = (type: string, holderIdentity: string): string =>
    `${JSON.stringify({
      type,
      object: { kind: 'Lease', metadata: { resourceVersion: '1' }, spec: { holderIdentity } },
    })}\n`;

  it('requests only that Lease and reports its changes, wherever chunks break', async () => {
    const text = event('ADDED', 'ä') + event('MODIFIED', 'b') + event('DELETED', 'b');
    const stop = watch(
      [...Buffer.from(text)].map((byte) => Buffer.of(byte)),
      'stays silent',
    );
    await clock.advance(1_000);
    assert.deepEqual(reports, ['ä', 'b', 'deleted']);
    const { resource, query } = opened[0]!.call;
    assert.deepEqual([resource.resource, resource.namespace], ['leases', 'kube-system']);
    assert.equal(query['fieldSelector'], 'metadata.name=ccm');
    assert.equal(query['resourceVersion'], undefined);
    stop.abort();
    await clock.advance(0);
    assert.equal(reports.at(-1), 'ended');
    assert.equal(clock.pending, 0);
  });

  it('is opened again after a silence in which a live leader would have renewed', async () => {
    const stop = watch([Buffer.from(event('ADDED', 'a'))], 'stays silent');
    await clock.advance(29_999);
    assert.equal(opened.length, 1);
    await clock.advance(101);
    assert.equal(opened.length, 2);
    assert.deepEqual(reports, ['a', 'failed', 'a']);
    stop.abort();
    await clock.advance(0);
  });

  it('is opened again after growing delays, without end, while it ends at once', async () => {
    const stop = watch([], 'closes');
    await clock.advance(10 * 60_000);
    const gapsMs = opened.slice(1).map(({ atMs }, index) => atMs - opened[index]!.atMs);
    assert.ok(gapsMs[0]! >= 2_000 && gapsMs[0]! < 4_000);
    assert.ok(gapsMs.slice(4).every((gapMs) => gapMs >= 30_000 && gapMs < 60_000));
    assert.ok(gapsMs.length >= 10);
    stop.abort();
    await clock.advance(0);
    assert.equal(clock.pending, 0);
  });

  const broken = [
    { name: 'an error of the server', chunk: '{"type":"ERROR","object":{"kind":"Status"}}\n' },
    { name: 'a line that is not JSON', chunk: '{"type":\n' },
    { name: 'a line without end', chunk: 'x'.repeat(1024 * 1024 + 1) },
  ];
  for (const { name, chunk } of broken) {
    it(`ends at ${name}, and is opened again`, async () => {
      const stop = watch([Buffer.from(chunk)], 'stays silent');
      await clock.advance(4_000);
      assert.deepEqual([reports[0], opened.length], ['failed', 2]);
      stop.abort();
      await clock.advance(0);
      assert.equal(reports.at(-1), 'ended');
    });
  }
});
