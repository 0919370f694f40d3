/**
 * The troubles of `trouble.test.ts` with the times that ship: a Lease of fifteen seconds, a pause of
 * thirty, a minute without the API server. Four managers share one Lease, and one trouble after the
 * other befalls whoever leads, so that most of the waiting is done at once. The API server's record has
 * the last word.
 */
import assert from 'node:assert/strict';
import { sleep, systemClock } from '@tandem/runtime';
import { type AuditEntry, besideOthers, request } from '../../control-plane/index.ts';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from '../manager/inventory.ts';
import type { ManagerProcess } from '../manager/manager-process.ts';
import { kubeconfigPathOf, Scene } from '../manager/scene.ts';
import { apply, withoutRule } from '../manager/shipped-access.ts';
import { inOwnWorld, type World } from '../manager/world.ts';
import { termsIn } from './holders-only.ts';
import { leading, operate, type Operated } from './operated.ts';

interface Candidate extends Operated {
  readonly proxy: CuttingProxy;
  /** The name of its service account, which is nobody else's. */
  readonly account: string;
}

/** Fifteen seconds until the Lease is free, two until somebody looks, and a busy machine. */
const takeoverMs = 60_000;
const pauseMs = 30_000;
const cutMs = 60_000;
/** A minute, what the server remembers of a token, and a busy machine. */
const refusedMs = 120_000;

const nodes = [
  'begun',
  'cut-off',
  'about-to-pause',
  'paused',
  'paused-too',
  'revoked',
  'killed',
] as const;
const suffixes = ['-first', '-second', '-third', '-fourth'];

let telling: Promise<RefusedLooks> | undefined;

/**
 * The story, which begins when this is first asked for. It takes more than a minute, so that it is told
 * beside others, in a cluster of its own.
 */
export function troublesInRealTimes(root: Mocha.Suite): Promise<RefusedLooks> {
  telling ??= besideOthers(inOwnWorld(root, tellTroubles));
  return telling;
}

/** Dry runs whose token the API server does not know, in both formats of the log. */
export interface RefusedLooks {
  readonly text: ManagerProcess;
  readonly json: ManagerProcess;
}

async function tellTroubles(world: World): Promise<RefusedLooks> {
  const fromMs = systemClock.now();
  await using scene = await Scene.open(world, {
    machines: nodes.map((name, index) => aMachine(name, index + 1)),
  });
  const all = await Promise.all(suffixes.map((suffix) => campaign(world, scene, suffix)));
  const others = new Set(all);
  const takeLeader = async (): Promise<Candidate> => {
    const leader = await leaderOf(scene, [...others]);
    others.delete(leader);
    return leader;
  };
  const first = await takeLeader();
  await giveWork(scene, 'begun');
  const stories: Promise<void>[] = [];
  const tell = (story: Promise<void>): void => {
    // It is waited for at the end; until then nobody is to be told twice that it failed.
    story.catch(() => undefined);
    stories.push(story);
  };
  tell(cutOff(scene, first));
  tell(stranger(scene));
  const looks = { text: await lookRefused(scene, 'text'), json: await lookRefused(scene, 'json') };
  const second = await takeLeader();
  await giveWork(scene, 'cut-off');
  tell(pause(scene, second));
  const third = await takeLeader();
  await scene.untilInitialised(['paused', 'paused-too'], takeoverMs);
  tell(revoke(scene, third));
  const fourth = await takeLeader();
  await giveWork(scene, 'revoked');
  assert.deepEqual(await fourth.manager.kill(), { code: null, signal: 'SIGKILL' });
  await assert.rejects(fourth.port.ask('/livez'), { code: 'ECONNREFUSED' });
  // By then they are well again, and standbys like any other.
  await Promise.all(stories);
  for (const { exited } of Object.values(looks)) await exited;
  const heir = await leaderOf(scene, [first, second]);
  await giveWork(scene, 'killed');

  for (const { manager } of [first, second]) {
    assert.deepEqual(await manager.stop(), { code: 0, signal: null }, manager.tail);
    assert.equal(manager.log.at(-1)?.msg, 'Stopped');
  }
  const terms = termsIn(await entriesOf(world, all, fromMs));
  const holders = [first, second, third, fourth, heir].map(userOf);
  assert.deepEqual(
    terms.slice(0, 5).map(({ user }) => user),
    holders,
  );
  for (const { user, writes } of terms.slice(0, 5)) {
    assert.ok(
      writes.some((write) => write.startsWith('patch nodes ')),
      `${user} did nothing`,
    );
  }
  return looks;
}

async function campaign(world: World, scene: Scene, suffix: string): Promise<Candidate> {
  const manifest = withoutRule(world.manifest, { role: '', index: 0 }, suffix);
  const token = await apply(scene.controlPlane.admin, manifest);
  const proxy = await scene.proxy();
  const operated = await operate(scene, { token, through: proxy, election: [] });
  return { ...operated, proxy, account: `cloud-controller-manager${suffix}` };
}

/** What the API server recorded of these since then. */
async function entriesOf(
  world: World,
  candidates: readonly Candidate[],
  fromMs: number,
): Promise<AuditEntry[]> {
  const { auditLog } = world.controlPlane;
  assert.ok(auditLog !== undefined);
  const users = new Set(candidates.map(userOf));
  const entries: AuditEntry[] = [];
  for await (const entry of auditLog.entries()) {
    const isLate = Date.parse(entry.requestReceivedTimestamp) >= fromMs;
    if (isLate && users.has(entry.user.username)) entries.push(entry);
  }
  return entries;
}

function userOf({ account }: Candidate): string {
  return `system:serviceaccount:kube-system:${account}`;
}

/** Waits until one of these leads. */
async function leaderOf(scene: Scene, candidates: readonly Candidate[]): Promise<Candidate> {
  let leader: Candidate | undefined;
  await scene.until(async () => {
    for (const each of candidates) if ((await each.port.metric(leading)) === 1) leader = each;
    return leader !== undefined;
  }, takeoverMs);
  assert.ok(leader !== undefined);
  return leader;
}

/** Something to do for whoever leads, and the proof that it was done. */
async function giveWork(scene: Scene, name: (typeof nodes)[number]): Promise<void> {
  await scene.register({ name });
  await scene.untilInitialised([name], takeoverMs);
}

/** A minute in which nothing that it asks is answered. */
async function cutOff(scene: Scene, { manager, port, proxy }: Candidate): Promise<void> {
  const mend = proxy.interfere({ on: () => true, when: 'before', act: () => 'hang' });
  proxy.breakConnections();
  const minute = sleep(systemClock, cutMs);
  await manager.says(/Lost the Lease/, {}, { withinMs: takeoverMs });
  await untilAway(scene, port);
  assert.match(await port.reasonOf('api-server'), /has not answered in time for \d+ s/);
  assert.equal((await port.ask('/livez')).status, 200, 'a restart would mend nothing');
  assert.equal(await port.metric(leading), 0);
  await minute;
  assert.ok((await port.failedChecks('readyz')).includes('api-server'), 'to the last');
  mend();
  proxy.breakConnections();
  await scene.until(async () => (await port.ask('/readyz')).status === 200, takeoverMs);
  await manager.says(/waiting as standby/, {}, { withinMs: takeoverMs });
}

/**
 * Half a minute in which it does not run. When it wakes up it sees nodes that wait, and has an event to
 * send once more that nobody would refuse.
 */
async function pause(scene: Scene, { manager, port, proxy }: Candidate): Promise<void> {
  const unavailable = { status: 503, reason: 'ServiceUnavailable', message: 'not now' };
  const mend = proxy.interfere({ on: isEvent, when: 'before', act: () => unavailable });
  await giveWork(scene, 'about-to-pause');
  await scene.until(() => proxy.exchanges.some((each) => isEvent(each) && each.status === 503));
  manager.signal('SIGSTOP');
  mend();
  const halfMinute = sleep(systemClock, pauseMs);
  for (const name of ['paused', 'paused-too']) await scene.register({ name });
  await halfMinute;
  manager.signal('SIGCONT');
  await manager.says(/Lost the Lease/, {}, { withinMs: takeoverMs });
  await scene.until(async () => (await port.failedChecks('livez')).includes('event-loop'));
  assert.match(await port.reasonOf('event-loop'), /the event loop was delayed by (?:29|[3-9]\d) s/);
  assert.equal(await port.metric(leading), 0);
  manager.assertRunning();
}

function isEvent({ kind, path }: Exchange): boolean {
  return kind === 'write' && path.endsWith('/events');
}

/** Its service account is deleted, so that nobody accepts its token any more, and nobody mends that. */
async function revoke(scene: Scene, { manager, port, account }: Candidate): Promise<void> {
  const path = `/api/v1/namespaces/kube-system/serviceaccounts/${account}`;
  const deleted = await request(scene.controlPlane.admin, { method: 'DELETE', path });
  assert.equal(deleted.status, 200, deleted.text);
  await manager.says(/Lost the Lease/, {}, { withinMs: takeoverMs });
  await untilAway(scene, port);
  assert.match(
    await port.reasonOf('api-server'),
    /has refused the manager's credentials \(401\) for \d+ s/,
  );
  assert.equal((await port.ask('/livez')).status, 200);
  assert.equal(await port.metric(leading), 0);
  const told = manager.log.filter(
    ({ level, err }) => level !== 'info' && /401|nauthorized/.test(JSON.stringify(err ?? '')),
  );
  assert.ok(told.length > 0, 'the log does not name the refusal');
  manager.assertRunning();
  await assertRefused(manager);
}

/** Nobody has heard of it from its first request on. */
async function stranger(scene: Scene): Promise<void> {
  await assertRefused(await scene.start({ token: 'forged' }));
}

function lookRefused(scene: Scene, format: 'text' | 'json'): Promise<ManagerProcess> {
  const flags = ['--dry-run', '--once', `--logging-format=${format}`];
  return scene.start({ token: 'forged', flags });
}

/** After a minute of refusals it gives up, and says which file to mend. */
async function assertRefused(manager: ManagerProcess): Promise<void> {
  assert.deepEqual(await manager.ended(refusedMs), { code: 1, signal: null }, manager.tail);
  const last = manager.log.at(-1);
  assert.equal(last?.msg, 'Manager stopped: the API server refused its credentials');
  const words = JSON.stringify(last['err']);
  assert.ok(words.includes('answered every request with 401 for 60 s'), words);
  assert.ok(words.includes(`the kubeconfig ${kubeconfigPathOf(manager)}`), words);
}

async function untilAway(scene: Scene, port: Operated['port']): Promise<void> {
  await scene.until(
    async () => (await port.failedChecks('readyz')).includes('api-server'),
    takeoverMs,
  );
}
