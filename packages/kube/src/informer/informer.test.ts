/** Tests an informer with a scripted client, in virtual time. */
import assert from 'node:assert/strict';
import { createLogger, createMetrics, sleep } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { createNodeReader, type NodeProjection } from '../node/index.ts';
import { Informer } from './informer.ts';
import { informerLimits } from './limits.ts';
import {
  errorStatus,
  lostConnection,
  refusal,
  scriptedClient,
  type ScriptedClient,
} from './scripted-client.fixture.ts';
import { TransportError } from '../transport/index.ts';
import type { Change } from './subscribers.ts';

function aNode(
  name: string,
  version: number,
  { uid = `uid-${name}`, providerID = '' } = {},
): object {
  return { metadata: { name, uid, resourceVersion: String(version) }, spec: { providerID } };
}

function describeChange(change: Change<NodeProjection>): string {
  if (change.kind !== 'updated') return `${change.kind} ${change.object.name}`;
  return `updated ${change.after.name} ${change.before.providerID} ${change.after.providerID}`;
}

/** A running informer and everything around it. */
function setUp() {
  const clock = virtualClock({ startMs: Date.parse('2026-03-01T12:00:00Z') });
  const wall = { jumpMs: 0 };
  const client = scriptedClient();
  const metrics = createMetrics();
  const log: { level: string; msg: string; ending?: string; err?: { code?: string } }[] = [];
  const informer = new Informer({
    client,
    clock: { ...clock, now: () => clock.now() + wall.jumpMs },
    random: seededRandom('informer'),
    logger: createLogger({ clock, destination: { write: (line) => log.push(JSON.parse(line)) } }),
    metrics,
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader: createNodeReader(),
  });
  const changes: string[] = [];
  informer.subscribe((change) => changes.push(describeChange(change)));
  const stopping = new AbortController();
  // Starts when the test first advances the clock, so that the test can write its script before.
  const running = sleep(clock, 0).then(() => informer.run(stopping.signal));
  const names = (): string[] => [...informer.list()].map(({ name }) => name).toSorted();
  return {
    clock,
    wall,
    client,
    informer,
    changes,
    log,
    names,
    running,
    /** Runs everything that needs no time. */
    settle: () => clock.advance(0),
    async stop() {
      stopping.abort();
      await running;
    },
    metric: async (name: string) =>
      (await metrics.render()).split('\n').find((line) => line.startsWith(name)) ?? 'none',
  };
}

/** Answers the current streaming list. */
async function sync(
  { client, settle }: { client: ScriptedClient; settle: () => Promise<void> },
  version: number,
  nodes: readonly object[],
): Promise<void> {
  await settle();
  for (const node of nodes) client.watch().send('ADDED', node);
  client.watch().bookmark(String(version), { endsList: true });
  await settle();
}

function reached(informer: { hasReached(version: string): boolean }): string[] {
  return ['8', '9', '10', '11', '12'].filter((version) => informer.hasReached(version));
}

/** The longest delay between two tries. It is well below every limit on silence. */
const retryMs = informerLimits.retryDelayMsMax;

describe('an informer', () => {
  let world: ReturnType<typeof setUp>;

  beforeEach(() => {
    world = setUp();
  });

  afterEach('leaves nothing behind when it is stopped', async () => {
    await world.stop();
    assert.equal(world.clock.pending, 0);
  });

  it('knows whether it has seen everything up to a version', async () => {
    const { client, informer, settle } = world;
    assert.equal(informer.hasReached('1'), false, 'nothing yet');
    const during: boolean[] = [];
    informer.subscribe(() => during.push(informer.hasReached('9')));
    await sync(world, 9, [aNode('a', 3), aNode('b', 9)]);
    assert.deepEqual(during, [false, false], 'not before the list is complete');
    assert.deepEqual(reached(informer), ['8', '9']);
    client.watch().send('MODIFIED', aNode('a', 10));
    await settle();
    assert.deepEqual(reached(informer), ['8', '9', '10']);
    client.watch().bookmark('11');
    await settle();
    assert.deepEqual(reached(informer), ['8', '9', '10', '11']);
  });

  it('shows everything that was stored before it requested its last consistent list', async () => {
    const { client, clock, informer, settle } = world;
    const startMs = clock.monotonic();
    const shows = (afterMs: number): boolean => informer.showsAllBefore(startMs + afterMs);
    await settle();
    assert.ok(!shows(0), 'the list has no answer yet');
    await clock.advance(1_000);
    await sync(world, 9, [aNode('a', 3)]);
    assert.deepEqual([shows(0), shows(1)], [true, false], 'the time of the answer does not count');
    // The next list must be as new as the cache, but need not be newer.
    client.watch().end();
    client.script.push({ kind: 'refused', err: refusal(503) });
    await clock.advance(60_000);
    assert.equal(client.asked.at(-1), 'stream 9');
    await sync(world, 9, [aNode('a', 3)]);
    assert.ok(!shows(1));
  });

  describe('that catches up', () => {
    const catchUp = (): Promise<void> => world.informer.catchUp(new AbortController().signal);
    const list = (version: number, nodes: readonly object[]) =>
      ({
        kind: 'list',
        list: { metadata: { resourceVersion: String(version) }, items: nodes },
      }) as const;

    it('applies a consistent list, and does not report again what the watch sends later', async () => {
      const { client, informer, changes, names, settle } = world;
      await sync(world, 9, [aNode('a', 3), aNode('gone', 4)]);
      client.script.push(list(20, [aNode('a', 15, { providerID: 'x://a' }), aNode('new', 18)]));
      await catchUp();
      assert.deepEqual(client.asked, ['stream', 'pages'], 'the list has no version');
      assert.deepEqual(names(), ['a', 'new']);
      assert.ok(informer.hasReached('20'));
      assert.ok(informer.showsAllBefore(world.clock.monotonic()));
      const reported = changes.length;
      client.watch().send('MODIFIED', aNode('a', 15, { providerID: 'x://a' }));
      client.watch().send('DELETED', aNode('gone', 17));
      client.watch().send('ADDED', aNode('new', 18));
      await settle();
      assert.equal(changes.length, reported, 'nothing is reported twice');
      client.watch().send('DELETED', aNode('new', 21));
      await settle();
      assert.deepEqual(names(), ['a']);
      assert.deepEqual(client.asked, ['stream', 'pages'], 'the watch continues');
    });

    it('rejects a watch that goes back after it has reached the version of that list', async () => {
      const { client, clock } = world;
      await sync(world, 9, [aNode('a', 3)]);
      client.script.push(list(20, [aNode('a', 3)]));
      await catchUp();
      client.watch().send('MODIFIED', aNode('a', 21));
      client.watch().send('MODIFIED', aNode('a', 12));
      await clock.advance(retryMs);
      assert.deepEqual(client.asked, ['stream', 'pages', 'stream 21']);
    });

    it('takes nothing from a list that the watch has overtaken in the meantime', async () => {
      const { client, informer, names, settle } = world;
      await sync(world, 9, [aNode('a', 3)]);
      client.script.push(list(12, [aNode('a', 3), aNode('b', 12)]));
      const call = client.call.bind(client);
      client.call = async (request) => {
        const answer = await call(request);
        client.watch().send('ADDED', aNode('b', 12));
        client.watch().send('ADDED', aNode('c', 15));
        await settle();
        return answer;
      };
      const askedMs = world.clock.monotonic();
      await catchUp();
      assert.deepEqual(names(), ['a', 'b', 'c']);
      assert.ok(informer.showsAllBefore(askedMs));
    });

    it('rejects if the list is older than the cache, because the server was restored', async () => {
      const { client, clock, informer, names } = world;
      await sync(world, 9, [aNode('a', 3), aNode('b', 9)]);
      await clock.advance(1_000);
      client.script.push(list(5, [aNode('a', 3)]));
      await assert.rejects(catchUp(), { code: 'ListWentBack' });
      assert.deepEqual(names(), ['a', 'b']);
      assert.ok(!informer.showsAllBefore(clock.monotonic()));
    });

    it('does not go back to a list that it had requested earlier', async () => {
      const { client, clock, names } = world;
      await sync(world, 9, [aNode('a', 3)]);
      // The server no longer has the version, so the next list names no version and may go back.
      client.script.push({ kind: 'refused', err: refusal(410, { reason: 'Expired' }) });
      client.watch().send('ERROR', errorStatus(410));
      await clock.advance(2 * retryMs);
      assert.equal(client.asked.at(-1), 'stream');
      client.script.push(list(20, [aNode('a', 3), aNode('new', 18)]));
      await catchUp();
      client.watch().send('ADDED', aNode('a', 3));
      client.watch().bookmark('15', { endsList: true });
      await world.settle();
      assert.deepEqual(names(), ['a', 'new']);
    });

    it('rejects if the list cannot be read', async () => {
      const { client } = world;
      await sync(world, 9, [aNode('a', 3)]);
      client.script.push({ kind: 'refused', err: refusal(503) });
      await assert.rejects(catchUp(), /503/);
    });
  });

  it('requests a streaming list in protobuf, with bookmarks, for five to ten minutes', async () => {
    const { client, settle } = world;
    await settle();
    const { timeoutSeconds, ...query } = client.queries[0] ?? {};
    assert.deepEqual(query, {
      watch: '1',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
    });
    assert.ok(Number(timeoutSeconds) >= 300 && Number(timeoutSeconds) <= 600, timeoutSeconds);
    assert.match(client.accepts[0] ?? '', /^application\/vnd\.kubernetes\.protobuf;stream=watch, /);
  });

  it('is synced once it has reported every object of the list, and not before', async () => {
    const { client, informer, changes, settle } = world;
    let toldWhenSynced: number | undefined;
    const note = async (): Promise<void> => {
      await informer.whenSynced(new AbortController().signal);
      toldWhenSynced = changes.length;
    };
    const syncing = note();
    await settle();
    client.watch().send('ADDED', aNode('a', 3));
    client.watch().send('ADDED', aNode('b', 2));
    client.watch().bookmark('3');
    await settle();
    assert.equal(informer.facts.isSynced, false);
    assert.equal(toldWhenSynced, undefined);
    client.watch().bookmark('5', { endsList: true });
    await syncing;
    assert.equal(toldWhenSynced, 2);
    assert.deepEqual(changes, ['added a', 'added b']);
    const facts = { isSynced: true, objects: 2, resourceVersion: '5', sinceProgressMs: 0 };
    assert.deepEqual(informer.facts, { ...facts, problem: undefined });
  });

  it('treats a change that arrives before the list is complete as part of the list', async () => {
    const { client, changes, settle, names } = world;
    await settle();
    client.watch().send('ADDED', aNode('a', 3));
    client.watch().send('ADDED', aNode('b', 2));
    client.watch().send('DELETED', aNode('a', 4));
    await sync(world, 5, []);
    assert.deepEqual(changes, ['added b']);
    assert.deepEqual(names(), ['b']);
  });

  it('reports the old and the new projection of a change, and does not report a heartbeat', async () => {
    const { client, informer, changes, settle, metric } = world;
    await sync(world, 5, [aNode('a', 3)]);
    client.watch().send('MODIFIED', aNode('a', 6));
    client.watch().send('MODIFIED', aNode('a', 7, { providerID: 'static:///a' }));
    client.watch().send('DELETED', aNode('a', 8, { providerID: 'static:///a' }));
    await settle();
    assert.deepEqual(changes, ['added a', 'updated a  static:///a', 'deleted a']);
    assert.equal(informer.facts.resourceVersion, '8');
    const unchanged = 'tandem_informer_events_total{resource="nodes",effect="unchanged"}';
    assert.equal(await metric(unchanged), `${unchanged} 1`);
  });

  it('stores the version of a heartbeat that it does not report', async () => {
    const { client, informer, settle } = world;
    await sync(world, 5, [aNode('a', 3)]);
    client.watch().send('MODIFIED', aNode('a', 6));
    await settle();
    assert.equal(informer.get('a')?.resourceVersion, '6');
  });

  it('reports all cached objects to a late subscriber', async () => {
    const { client, informer, settle } = world;
    await sync(world, 5, [aNode('a', 1), aNode('b', 2)]);
    const reported: string[] = [];
    const leave = informer.subscribe((change) => reported.push(describeChange(change)));
    assert.deepEqual(reported, ['added a', 'added b']);
    client.watch().send('DELETED', aNode('b', 6));
    await settle();
    leave();
    client.watch().send('DELETED', aNode('a', 7));
    await settle();
    assert.deepEqual(reported, ['added a', 'added b', 'deleted b']);
  });

  it('ignores an event that it has already seen', async () => {
    const { client, changes, settle, names } = world;
    await sync(world, 10, [aNode('a', 9)]);
    client.watch().send('DELETED', aNode('a', 10));
    await settle();
    assert.deepEqual(changes, ['added a']);
    assert.deepEqual(names(), ['a']);
  });

  for (const kind of ['an event', 'a bookmark']) {
    it(`lists again when a watch goes back with ${kind}, and ignores the rest of that watch`, async () => {
      const { client, clock, informer, changes } = world;
      await sync(world, 10, [aNode('a', 9)]);
      if (kind === 'an event') client.watch().send('ADDED', aNode('b', 8));
      else client.watch().bookmark('8');
      client.watch().send('ADDED', aNode('c', 11));
      await clock.advance(retryMs);
      assert.deepEqual(client.asked, ['stream', 'stream 10']);
      assert.deepEqual(changes, ['added a']);
      assert.equal(informer.facts.resourceVersion, '10');
    });
  }

  it('compares versions as numbers, not as text', async () => {
    const { client, informer, settle } = world;
    await sync(world, 9, [aNode('a', 9)]);
    client.watch().send('MODIFIED', aNode('a', 10, { providerID: 'p' }));
    await settle();
    assert.equal(informer.get('a')?.providerID, 'p');
  });

  describe('whose watch ends', () => {
    it('resumes at once from the last bookmark when the server ended the watch', async () => {
      const { client, clock, settle } = world;
      await sync(world, 5, []);
      await clock.advance(100_000);
      client.watch().bookmark('7');
      await clock.advance(100_000);
      client.watch().end();
      await settle();
      assert.deepEqual(client.asked, ['stream', 'resume 7']);
    });

    it('resumes from the last event when the connection broke', async () => {
      const { client, clock } = world;
      await sync(world, 5, []);
      client.watch().send('ADDED', aNode('a', 6));
      client.watch().break();
      await clock.advance(retryMs);
      assert.deepEqual(client.asked, ['stream', 'resume 6']);
    });

    it('treats a truncated event as a broken connection, and ignores the event', async () => {
      const { client, clock, names } = world;
      await sync(world, 5, []);
      client.watch().sendText('{"type":"ADDED","object":');
      client.watch().end();
      await clock.advance(retryMs);
      assert.deepEqual(client.asked, ['stream', 'resume 5']);
      assert.deepEqual(names(), []);
    });

    it('does not send requests in a loop when every watch ends at once', async () => {
      const { client, clock } = world;
      await sync(world, 5, []);
      for (let second = 0; second < 60; second += 1) {
        client.watch().end();
        await clock.advance(1000);
      }
      assert.ok(client.asked.length < 12, `asked ${client.asked.length} times in a minute`);
    });

    for (const retryAfterMs of [2_000, 5_000, 45_000]) {
      it(`waits and resumes when the server asks it to wait for ${retryAfterMs} ms`, async () => {
        const { client, clock } = world;
        await sync(world, 5, []);
        client.script.push({ kind: 'refused', err: refusal(429, { retryAfterMs }) });
        client.watch().break();
        await clock.advance(retryMs + retryAfterMs);
        assert.deepEqual(client.asked, ['stream', 'resume 5', 'resume 5']);
      });
    }

    it('resumes however often the server throttles it, as long as it answers', async () => {
      const { client, clock } = world;
      await sync(world, 5, []);
      for (let tries = 0; tries < 8; tries += 1) {
        client.script.push({ kind: 'refused', err: refusal(429) });
      }
      client.watch().break();
      await clock.advance(10 * retryMs);
      assert.deepEqual(client.asked, ['stream', ...Array.from({ length: 9 }, () => 'resume 5')]);
    });

    it('lists again after a wait in which the server may have been restored', async () => {
      const { client, clock } = world;
      await sync(world, 5, []);
      client.script.push({ kind: 'refused', err: refusal(429, { retryAfterMs: 120_000 }) });
      client.watch().break();
      await clock.advance(retryMs + 120_000);
      assert.deepEqual(client.asked, ['stream', 'resume 5', 'stream 5']);
    });

    it('lists again, at its own version or newer, when the server was away', async () => {
      const { client, clock } = world;
      await sync(world, 5, []);
      client.script.push({ kind: 'refused', err: lostConnection() });
      client.watch().break();
      await clock.advance(2 * retryMs);
      assert.deepEqual(client.asked, ['stream', 'resume 5', 'stream 5']);
    });

    it('lists again when its version has expired, and without a version if the list expired too', async () => {
      const { client, clock, names } = world;
      await sync(world, 5, [aNode('a', 3)]);
      client.watch().send('ERROR', errorStatus(410));
      client.script.push({ kind: 'refused', err: refusal(410, { reason: 'Expired' }) });
      await clock.advance(2 * retryMs);
      assert.deepEqual(client.asked, ['stream', 'stream 5', 'stream']);
      await sync(world, 9, [aNode('b', 8)]);
      assert.deepEqual(names(), ['b']);
    });
  });

  describe('whose watch goes silent', () => {
    it('closes the watch after 150 seconds, not before, and lists at its own version or newer', async () => {
      const { client, clock, log } = world;
      await sync(world, 5, []);
      const first = client.watch();
      await clock.advance(149_000);
      assert.equal(first.isClosed, false);
      await clock.advance(1_000 + retryMs);
      assert.equal(first.isClosed, true);
      assert.deepEqual(client.asked, ['stream', 'stream 5']);
      assert.deepEqual(
        log.map(({ level, ending }) => ({ level, ending })),
        [{ level: 'warn', ending: 'silent' }],
      );
    });

    it('keeps the watch as long as bookmarks arrive', async () => {
      const { client, clock } = world;
      await sync(world, 5, []);
      for (let version = 6; version < 16; version += 1) {
        await clock.advance(120_000);
        client.watch().bookmark(String(version));
      }
      assert.deepEqual(client.asked, ['stream']);
    });

    it('follows a restored server back, once a consistent answer says so', async () => {
      const { client, clock, informer, changes, log } = world;
      await sync(world, 100, [aNode('a', 90), aNode('b', 91)]);
      await clock.advance(150_000 + retryMs);
      client.watch().send('ERROR', errorStatus(504, 'ResourceVersionTooLarge'));
      await clock.advance(retryMs);
      assert.deepEqual(client.asked, ['stream', 'stream 100', 'stream']);
      await sync(world, 7, [aNode('a', 6, { uid: 'another' })]);
      assert.equal(informer.facts.resourceVersion, '7');
      assert.deepEqual(changes, ['added a', 'added b', 'deleted b', 'deleted a', 'added a']);
      assert.ok(log.some(({ msg }) => msg.startsWith('API server was restored')));
      client.watch().break();
      await clock.advance(retryMs);
      assert.equal(client.asked.at(-1), 'resume 7');
    });
  });

  it('rejects a list that is older than requested, and keeps its objects', async () => {
    const { client, clock, names } = world;
    await sync(world, 100, [aNode('a', 90)]);
    client.watch().send('ERROR', errorStatus(410));
    await clock.advance(retryMs);
    await sync(world, 99, [aNode('deleted-long-ago', 50)]);
    assert.deepEqual(names(), ['a']);
    await clock.advance(retryMs);
    assert.deepEqual(client.asked, ['stream', 'stream 100', 'stream']);
  });

  it('changes nothing if a list breaks off', async () => {
    const { client, clock, changes } = world;
    await sync(world, 100, [aNode('a', 90)]);
    client.watch().send('ERROR', errorStatus(410));
    await clock.advance(retryMs);
    client.watch().send('ADDED', aNode('b', 101));
    client.watch().break();
    await clock.advance(retryMs);
    assert.deepEqual(changes, ['added a']);
    assert.equal(client.asked.at(-1), 'stream 100');
  });

  it('reports an object that was deleted and created again as two objects', async () => {
    const { client, clock, changes } = world;
    await sync(world, 5, [aNode('a', 3)]);
    client.watch().send('ERROR', errorStatus(410));
    await clock.advance(retryMs);
    await sync(world, 9, [aNode('a', 8, { uid: 'another' })]);
    assert.deepEqual(changes, ['added a', 'deleted a', 'added a']);
  });

  it('lists again after an event that it cannot decode, counts the event and logs it', async () => {
    const { client, clock, changes, log, metric } = world;
    await sync(world, 5, []);
    client.watch().send('ADDED', aNode('a', 6));
    client.watch().sendText('{"type":"ADDED","object":{"metadata":{"name":\n');
    client.watch().send('ADDED', aNode('c', 8));
    await clock.advance(retryMs);
    assert.deepEqual(client.asked, ['stream', 'stream 6']);
    assert.deepEqual(changes, ['added a']);
    const errors = 'tandem_informer_decode_errors_total{resource="nodes"}';
    assert.equal(await metric(errors), `${errors} 1`);
    assert.deepEqual(
      log.map(({ level, msg }) => `${level} ${msg}`),
      ['warn Could not decode response, listing again'],
    );
  });

  describe('of a server that does not stream lists', () => {
    const page = (version: number, nodes: readonly object[], token?: string) =>
      ({
        kind: 'list',
        list: { metadata: { resourceVersion: String(version), continue: token }, items: nodes },
      }) as const;

    it('lists in pages of 500 when the server refuses to stream, and watches from their version', async () => {
      const { client, settle, changes } = world;
      client.script.push(
        { kind: 'refused', err: refusal(422) },
        page(5, [aNode('a', 1)], 'next'),
        page(5, [aNode('b', 2)]),
      );
      await settle();
      assert.deepEqual(client.asked, ['stream', 'pages', 'page next', 'resume 5']);
      assert.deepEqual(changes, ['added a', 'added b']);
      assert.equal(client.queries[1]?.['limit'], '500');
    });

    it('lists in pages if a streaming list is silent for a minute before its end', async () => {
      const { client, clock, names } = world;
      await world.settle();
      client.watch().send('ADDED', aNode('a', 1));
      await clock.advance(50_000);
      client.watch().send('ADDED', aNode('b', 2));
      await clock.advance(59_000);
      assert.deepEqual(client.asked, ['stream']);
      client.script.push(page(5, [aNode('a', 1)]));
      await clock.advance(1_000);
      assert.deepEqual(client.asked, ['stream', 'pages', 'resume 5']);
      assert.deepEqual(names(), ['a']);
    });

    it('starts again with a streaming list when the continue token has expired', async () => {
      const { client, clock } = world;
      client.script.push({ kind: 'refused', err: refusal(422) }, page(5, [aNode('a', 1)], 'next'), {
        kind: 'refused',
        err: refusal(410, { reason: 'Expired' }),
      });
      await clock.advance(retryMs);
      assert.deepEqual(client.asked, ['stream', 'pages', 'page next', 'stream']);
    });

    it('requests its own version or newer, and goes back only on a consistent answer', async () => {
      const { client, clock, informer } = world;
      await sync(world, 100, []);
      client.script.push(
        { kind: 'refused', err: refusal(422) },
        { kind: 'refused', err: refusal(504, { cause: 'ResourceVersionTooLarge' }) },
        { kind: 'refused', err: refusal(422) },
        page(7, []),
      );
      client.watch().send('ERROR', errorStatus(410));
      await clock.advance(3 * retryMs);
      const asked = ['stream', 'stream 100', 'pages 100', 'stream', 'pages', 'resume 7'];
      assert.deepEqual(client.asked, asked);
      assert.equal(informer.facts.resourceVersion, '7');
    });
  });

  it('waits as long as the server asks it to', async () => {
    const { client, clock } = world;
    client.script.push({ kind: 'refused', err: refusal(429, { retryAfterMs: 40_000 }) });
    await clock.advance(39_000);
    assert.equal(client.asked.length, 1);
    await clock.advance(1_000);
    assert.equal(client.asked.length, 2);
  });

  it('waits longer with each failure, up to a limit', async () => {
    const { client, clock } = world;
    const failures = 30;
    for (let failure = 0; failure < failures; failure += 1) {
      client.script.push({ kind: 'refused', err: refusal(403) });
    }
    await clock.advance(10_000);
    assert.ok(client.asked.length >= 4 && client.asked.length <= 7, String(client.asked.length));
    for (let second = 0; client.asked.length <= failures; second += 1) {
      assert.ok(second < (failures * retryMs) / 1000);
      await clock.advance(1000);
    }
    assert.match(world.informer.facts.problem ?? '', /403/);
    await sync(world, 5, []);
    assert.equal(world.informer.facts.isSynced, true);
    assert.equal(world.informer.facts.problem, undefined);
  });

  it('logs an outage when it begins, when its cause changes, and every five minutes', async () => {
    const { client, clock, log } = world;
    const outage = (count: number, err: Error): void => {
      for (let failure = 0; failure < count; failure += 1) {
        client.script.push({ kind: 'refused', err });
      }
    };
    const lost = lostConnection();
    const untrusted = new TransportError('The certificate is not trusted', {
      code: 'ServerNotTrusted',
      retry: 'backoff',
      effect: 'none',
    });
    outage(3, lost);
    outage(1_000, untrusted);
    await clock.advance(4 * 60_000);
    assert.deepEqual(
      log.map(({ level, err }) => `${level} ${err?.code}`),
      ['warn ConnectionLost', 'warn ServerNotTrusted'],
    );
    await clock.advance(10 * 60_000);
    assert.equal(log.length, 4);
  });

  it('tells the time since the last message of the server, even after a jump of the wall clock', async () => {
    const { clock, wall, informer } = world;
    await sync(world, 5, []);
    await clock.advance(30_000);
    assert.equal(informer.facts.sinceProgressMs, 30_000);
    wall.jumpMs = 600_000;
    assert.equal(informer.facts.sinceProgressMs, 30_000);
  });
});

describe('an informer whose subscriber throws', () => {
  it('ends with SubscriberFailed, because a change was lost', async () => {
    const world = setUp();
    world.informer.subscribe(() => {
      throw new RangeError('a mistake');
    });
    const ended = assert.rejects(world.running, { code: 'SubscriberFailed' });
    await sync(world, 5, [aNode('a', 1)]);
    await ended;
    assert.equal(world.clock.pending, 0);
  });
});
