/**
 * The troubles of `trouble.test.ts` with the times that ship: a Lease of fifteen seconds, a pause of thirty, a minute
 * without the API server. Four managers share one Lease, and each leader in turn gets into trouble, so that most of
 * the waiting overlaps. The audit log of the API server decides.
 */
import assert from 'node:assert/strict';
import { sleep, systemClock } from '@tandem/runtime';
import { type AuditEntry, inBackground } from '../../control-plane/index.ts';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from '../manager/inventory.ts';
import type { ManagerProcess } from '../manager/manager-process.ts';
import { kubeconfigPathOf, Scenario } from '../manager/scenario.ts';
import { apply, withoutRule } from '../manager/shipped-access.ts';
import { inOwnInstallation, type Installation } from '../manager/installation.ts';
import { termsIn } from './holders-only.ts';
import { leading, operate, type Operated } from './operated.ts';

interface Candidate extends Operated {
  readonly proxy: CuttingProxy;
  /** The name of its own service account. */
  readonly account: string;
}

/** Fifteen seconds until the Lease expires, two until a standby notices, and room for a busy machine. */
const takeoverMs = 60_000;
const pauseMs = 30_000;
const cutMs = 60_000;
/** A minute, the time that the server caches a token, and room for a busy machine. */
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

let started: Promise<RefusedDryRuns> | undefined;

/**
 * Runs the troubles. The first call starts them. They take more than a minute, so that they run in the background, in
 * a cluster of their own.
 */
export function troublesInRealTimes(root: Mocha.Suite): Promise<RefusedDryRuns> {
  started ??= inBackground(inOwnInstallation(root, runTroubles));
  return started;
}

/** Dry runs with a token that the API server refuses, in both formats of the log. */
interface RefusedDryRuns {
  readonly text: ManagerProcess;
  readonly json: ManagerProcess;
}

async function runTroubles(installation: Installation): Promise<RefusedDryRuns> {
  const fromMs = systemClock.now();
  await using scenario = await Scenario.open(installation, {
    machines: nodes.map((name, index) => aMachine(name, index + 1)),
  });
  const all = await Promise.all(suffixes.map((suffix) => campaign(installation, scenario, suffix)));
  const others = new Set(all);
  const takeLeader = async (): Promise<Candidate> => {
    const leader = await leaderOf(scenario, [...others]);
    others.delete(leader);
    return leader;
  };
  const first = await takeLeader();
  await giveWork(scenario, 'begun');
  const troubles: Promise<void>[] = [];
  const begin = (trouble: Promise<void>): void => {
    // The end of this function awaits it. Until then its failure must not count as unhandled.
    trouble.catch(() => undefined);
    troubles.push(trouble);
  };
  begin(cutOff(scenario, first));
  begin(startWithForgedToken(scenario));
  const dryRuns = {
    text: await startRefusedDryRun(scenario, 'text'),
    json: await startRefusedDryRun(scenario, 'json'),
  };
  const second = await takeLeader();
  await giveWork(scenario, 'cut-off');
  begin(pause(scenario, second));
  const third = await takeLeader();
  await scenario.untilInitialised(['paused', 'paused-too'], takeoverMs);
  begin(revoke(scenario, third));
  const fourth = await takeLeader();
  await giveWork(scenario, 'revoked');
  assert.deepEqual(await fourth.manager.kill(), { code: null, signal: 'SIGKILL' });
  await assert.rejects(fourth.port.ask('/livez'), { code: 'ECONNREFUSED' });
  // By then the managers have recovered and are ordinary standbys.
  await Promise.all(troubles);
  for (const { exited } of Object.values(dryRuns)) await exited;
  const heir = await leaderOf(scenario, [first, second]);
  await giveWork(scenario, 'killed');

  for (const { manager } of [first, second]) {
    assert.deepEqual(await manager.stop(), { code: 0, signal: null }, manager.tail);
    assert.equal(manager.log.at(-1)?.msg, 'Stopped');
  }
  const terms = termsIn(await entriesOf(installation, all, fromMs));
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
  return dryRuns;
}

async function campaign(
  installation: Installation,
  scenario: Scenario,
  suffix: string,
): Promise<Candidate> {
  const manifest = withoutRule(installation.manifest, { role: '', index: 0 }, suffix);
  const token = await apply(scenario.controlPlane.admin, manifest);
  const proxy = await scenario.proxy();
  const operated = await operate(scenario, { token, through: proxy, election: [] });
  return { ...operated, proxy, account: `cloud-controller-manager${suffix}` };
}

/** The entries of the audit log about these candidates since then. */
async function entriesOf(
  installation: Installation,
  candidates: readonly Candidate[],
  fromMs: number,
): Promise<AuditEntry[]> {
  const users = new Set(candidates.map(userOf));
  const entries = await installation.controlPlane.audited(fromMs);
  return entries.filter(({ user }) => users.has(user.username));
}

function userOf({ account }: Candidate): string {
  return `system:serviceaccount:kube-system:${account}`;
}

/** Waits until one of these leads. */
async function leaderOf(scenario: Scenario, candidates: readonly Candidate[]): Promise<Candidate> {
  let leader: Candidate | undefined;
  await scenario.until(async () => {
    for (const each of candidates) if ((await each.port.metric(leading)) === 1) leader = each;
    return leader !== undefined;
  }, takeoverMs);
  assert.ok(leader !== undefined);
  return leader;
}

/** Registers a node, and waits until the leader has initialised it. */
async function giveWork(scenario: Scenario, name: (typeof nodes)[number]): Promise<void> {
  await scenario.register({ name });
  await scenario.untilInitialised([name], takeoverMs);
}

/** Answers no request of the manager for a minute. */
async function cutOff(scenario: Scenario, { manager, port, proxy }: Candidate): Promise<void> {
  const mend = proxy.interfere({ on: () => true, when: 'before', act: () => 'hang' });
  proxy.breakConnections();
  const minute = sleep(systemClock, cutMs);
  await manager.says(/Lost the Lease/, {}, { withinMs: takeoverMs });
  await untilAway(scenario, port);
  assert.match(await port.reasonOf('api-server'), /has not answered in time for \d+ s/);
  assert.equal((await port.ask('/livez')).status, 200, 'a restart would mend nothing');
  assert.equal(await port.metric(leading), 0);
  await minute;
  assert.ok((await port.failedChecks('readyz')).includes('api-server'), 'until the end');
  mend();
  proxy.breakConnections();
  await scenario.until(async () => (await port.ask('/readyz')).status === 200, takeoverMs);
  await manager.says(/waiting as standby/, {}, { withinMs: takeoverMs });
}

/**
 * Pauses the manager for half a minute. When it continues, it sees waiting nodes, and has an event to send again that
 * the API server would accept.
 */
async function pause(scenario: Scenario, { manager, port, proxy }: Candidate): Promise<void> {
  const unavailable = { status: 503, reason: 'ServiceUnavailable', message: 'not now' };
  const mend = proxy.interfere({ on: isEvent, when: 'before', act: () => unavailable });
  await giveWork(scenario, 'about-to-pause');
  await scenario.until(() => proxy.exchanges.some((each) => isEvent(each) && each.status === 503));
  manager.signal('SIGSTOP');
  mend();
  const halfMinute = sleep(systemClock, pauseMs);
  for (const name of ['paused', 'paused-too']) await scenario.register({ name });
  await halfMinute;
  manager.signal('SIGCONT');
  await manager.says(/Lost the Lease/, {}, { withinMs: takeoverMs });
  await scenario.until(async () => (await port.failedChecks('livez')).includes('event-loop'));
  assert.match(await port.reasonOf('event-loop'), /the event loop was delayed by (?:29|[3-9]\d) s/);
  assert.equal(await port.metric(leading), 0);
  manager.assertRunning();
}

function isEvent({ kind, path }: Exchange): boolean {
  return kind === 'write' && path.endsWith('/events');
}

/** Deletes the manager's service account, so that the API server refuses its token. */
async function revoke(scenario: Scenario, { manager, port, account }: Candidate): Promise<void> {
  const path = `/api/v1/namespaces/kube-system/serviceaccounts/${account}`;
  await scenario.ask({ method: 'DELETE', path });
  await manager.says(/Lost the Lease/, {}, { withinMs: takeoverMs });
  await untilAway(scenario, port);
  assert.match(
    await port.reasonOf('api-server'),
    /has refused the manager's credentials \(401\) for \d+ s/,
  );
  assert.equal((await port.ask('/livez')).status, 200);
  assert.equal(await port.metric(leading), 0);
  const refusals = manager.log.filter(
    ({ level, err }) => level !== 'info' && /401|nauthorized/.test(JSON.stringify(err ?? '')),
  );
  assert.ok(refusals.length > 0, 'the log does not name the refusal');
  manager.assertRunning();
  await assertRefused(manager);
}

/** Starts a manager whose token the API server refuses from the first request. */
async function startWithForgedToken(scenario: Scenario): Promise<void> {
  await assertRefused(await scenario.start({ token: 'forged' }));
}

function startRefusedDryRun(scenario: Scenario, format: 'text' | 'json'): Promise<ManagerProcess> {
  const flags = ['--dry-run', '--once', `--logging-format=${format}`];
  return scenario.start({ token: 'forged', flags });
}

/** After a minute of refusals the manager gives up, and names the file to correct. */
async function assertRefused(manager: ManagerProcess): Promise<void> {
  assert.deepEqual(await manager.ended(refusedMs), { code: 1, signal: null }, manager.tail);
  const last = manager.log.at(-1);
  assert.equal(last?.msg, 'Manager stopped: the API server refused its credentials');
  const words = JSON.stringify(last['err']);
  assert.ok(words.includes('answered every request with 401 for 60 s'), words);
  assert.ok(words.includes(`the kubeconfig ${kubeconfigPathOf(manager)}`), words);
}

async function untilAway(scenario: Scenario, port: Operated['port']): Promise<void> {
  await scenario.until(
    async () => (await port.failedChecks('readyz')).includes('api-server'),
    takeoverMs,
  );
}
