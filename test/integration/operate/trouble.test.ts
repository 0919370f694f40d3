/**
 * What befalls a manager that leads – killed, paused, cut off from the API server, its token revoked –
 * and how somebody sees it from outside: in its health, its metrics or its last words. Whatever it is,
 * nothing is written after the Lease was lost, and a standby goes on.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@tandem/runtime';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from '../manager/inventory.ts';
import { rootOf } from '../../control-plane/mocha.ts';
import type { Scenario, StartOptions } from '../manager/scenario.ts';
import { apply, withoutRule } from '../manager/shipped-access.ts';
import { useInstallation } from '../manager/installation.ts';
import { aPort, leading, operate, type Operated, quickDeletion, untilLeading } from './operated.ts';
import { troublesInRealTimes } from './real-times.ts';

interface Watched extends Operated {
  readonly proxy: CuttingProxy;
}

describe('a manager in trouble', function () {
  this.timeout(120_000);
  const { open, installation } = useInstallation();

  before(function () {
    // `../troubles-in-real-times.test.ts` waits for them.
    troublesInRealTimes(rootOf(this)).catch(() => undefined);
  });

  async function campaign(scenario: Scenario, options: StartOptions = {}): Promise<Watched> {
    const proxy = await scenario.proxy();
    const flags = [...quickDeletion, ...(options.flags ?? [])];
    return { proxy, ...(await operate(scenario, { ...options, flags, through: proxy })) };
  }

  /** One that leads and one that waits. */
  async function pair(scenario: Scenario, options: StartOptions = {}): Promise<[Watched, Watched]> {
    const leader = await campaign(scenario, options);
    await untilLeading(scenario, leader);
    const standby = await campaign(scenario);
    await standby.manager.says(/waiting as standby/);
    // It lists the nodes after its first look at the Lease, so it is ready a moment later.
    await scenario.until(async () => {
      assert.deepEqual(await standby.port.failedChecks('readyz'), []);
      return true;
    });
    return [leader, standby];
  }

  it('that is killed leaves its Lease to a standby, which says so', async () => {
    await using scenario = await open({ machines: [aMachine('after-kill', 1)] });
    const [leader, standby] = await pair(scenario);
    assert.deepEqual(await leader.manager.kill(), { code: null, signal: 'SIGKILL' });
    await assert.rejects(leader.port.ask('/livez'), { code: 'ECONNREFUSED' });
    await untilLeading(scenario, standby);
    await scenario.register({ name: 'after-kill' });
    await scenario.untilInitialised(['after-kill']);
    assertNoneAfter(leader, takenAtMs(standby));
  });

  it('that was paused says that it was late and lost the Lease, and is a standby', async () => {
    await using scenario = await open({ machines: [aMachine('after-pause', 1)] });
    const [leader, standby] = await pair(scenario);
    leader.manager.signal('SIGSTOP');
    const pausedAtMs = systemClock.monotonic();
    await untilLeading(scenario, standby);
    await scenario.register({ name: 'after-pause' });
    await scenario.untilInitialised(['after-pause']);
    await scenario.until(() => systemClock.monotonic() - pausedAtMs > 6_500);
    leader.manager.signal('SIGCONT');

    await leader.manager.says(/Lost the Lease/);
    await scenario.until(async () =>
      (await leader.port.failedChecks('livez')).includes('event-loop'),
    );
    assert.match(await leader.port.reasonOf('event-loop'), /the event loop was delayed by \d+ s/);
    assert.equal(await leader.port.metric(leading), 0);
    leader.manager.assertRunning();
    assertNoneAfter(leader, takenAtMs(standby));
  });

  it('that is cut off names the API server on its pages, answers at once, and comes back', async () => {
    await using scenario = await open({ machines: [aMachine('cut-off', 1), aMachine('later', 2)] });
    const [leader, standby] = await pair(scenario);
    const cutAtMs = systemClock.monotonic();
    // What hangs is worse than what breaks: nothing ever says that it failed.
    const mend = leader.proxy.interfere({ on: () => true, when: 'before', act: () => 'hang' });
    leader.proxy.breakConnections();
    const startedWriting = leader.proxy.writes.length;
    await leader.manager.says(/Lost the Lease/);
    await untilLeading(scenario, standby);
    await scenario.register({ name: 'cut-off' });
    await scenario.untilInitialised(['cut-off']);

    await scenario.until(
      async () => (await leader.port.failedChecks('readyz')).includes('api-server'),
      60_000,
    );
    assert.ok(systemClock.monotonic() - cutAtMs < 60_000);
    assert.match(await leader.port.reasonOf('api-server'), /has not answered in time for \d+ s/);
    assert.equal((await leader.port.ask('/livez')).status, 200, 'a restart would mend nothing');
    // A page that needs the API server waits for it; health does not, nor for the same token.
    const token = 'never seen before';
    const waiting = leader.port.ask('/metrics', { token }).catch(() => undefined);
    let hasEnded = false;
    void waiting.then(() => (hasEnded = true));
    for (const asked of [{ token }, {}]) {
      assert.equal((await leader.port.ask('/livez', asked)).status, 200);
      assert.equal(hasEnded, false, 'health waited for as long as a page');
    }
    assert.equal(await leader.port.metric(leading), 0);
    const late = leader.proxy.writes.slice(startedWriting).filter(({ isForwarded }) => isForwarded);
    assert.deepEqual(late, [], 'written while it was cut off');

    mend();
    leader.proxy.breakConnections();
    await scenario.until(async () => (await leader.port.ask('/readyz')).status === 200);
    await leader.manager.says(/waiting as standby/);
    assertNoneAfter(leader, takenAtMs(standby));
    await standby.manager.stop();
    await untilLeading(scenario, leader);
    await scenario.register({ name: 'later' });
    await scenario.untilInitialised(['later']);
  });

  it('whose token is revoked says so, shuts its pages, and recovers when its kubeconfig has another', async () => {
    const account = withoutRule(installation().manifest, { role: '', index: 0 }, '-revoked');
    await using scenario = await open({
      machines: [aMachine('after-revocation', 1), aMachine('after-renewal', 2)],
    });
    const token = await apply(scenario.controlPlane.admin, account);
    const [leader, standby] = await pair(scenario, { token });
    const path = '/api/v1/namespaces/kube-system/serviceaccounts/cloud-controller-manager-revoked';
    await scenario.ask({ method: 'DELETE', path });

    await scenario.until(
      async () => (await leader.port.failedChecks('readyz')).includes('api-server'),
      60_000,
    );
    assert.match(
      await leader.port.reasonOf('api-server'),
      /the API server has refused the manager's credentials \(401\) for \d+ s/,
    );
    assert.equal((await leader.port.ask('/livez')).status, 200);
    assert.equal(await leader.port.metric(leading), 0);
    await leader.manager.says(/Lost the Lease/);
    const told = leader.manager.log.filter(
      ({ level, err }) => level !== 'info' && /401|nauthorized/.test(JSON.stringify(err ?? '')),
    );
    assert.ok(told.length > 0, 'the log does not name the refusal');
    assert.ok(told.length < 20, `the log says it ${told.length} times`);
    for (const { msg, err } of told) {
      assert.match(JSON.stringify(err), /the kubeconfig \/\S+\. Renew the token/, msg);
    }
    assert.ok(!`${leader.manager.stderr}${leader.manager.stdout}`.includes(token));
    const anonymous = await leader.port.ask('/metrics', { token: 'never seen before' });
    assert.equal(anonymous.status, 500, 'no token can be reviewed');
    await untilLeading(scenario, standby);
    await scenario.register({ name: 'after-revocation' });
    await scenario.untilInitialised(['after-revocation']);
    assertNoneAfter(leader, takenAtMs(standby));
    leader.manager.assertRunning();

    const renewed = await apply(scenario.controlPlane.admin, account);
    await scenario.rewriteKubeconfig(leader.manager, { token: renewed, through: leader.proxy });
    await leader.manager.says(/waiting as standby/);
    await standby.manager.stop();
    await untilLeading(scenario, leader);
    await scenario.register({ name: 'after-renewal' });
    await scenario.untilInitialised(['after-renewal']);
    assert.ok(!`${leader.manager.stderr}${leader.manager.stdout}`.includes(renewed));
  });

  it('that an uncaught error of a provider ends logs that error in its usual format', async () => {
    await using scenario = await open();
    const module = join(import.meta.dirname, 'careless-cloud', 'provider.ts');
    const manager = await scenario.start({ provider: [`--cloud-provider=${module}`] });
    const { code } = await manager.ended();
    assert.equal(code, 1, manager.tail);
    const said = await manager.says(/^Stopping after an uncaught error$/, { level: 'error' });
    assert.match(JSON.stringify(said['err']), /nobody waits for this/);
    const lines = manager.stderr.trimEnd().split('\n');
    assert.equal(manager.log.length, lines.length, 'every line is JSON');
  });

  it('from the start waits, serves its pages and names what is wrong, or ends with its reason', async () => {
    await using scenario = await open({ machines: [aMachine('late-start', 1)] });
    const ca = join(scenario.directory, 'client-ca.crt');
    await writeFile(ca, scenario.controlPlane.admin.ca);
    const proxy = await scenario.proxy();
    const mend = proxy.interfere({ on: () => true, when: 'before', act: () => 'hang' });
    const own = [`--client-ca-file=${ca}`, '--authentication-skip-lookup=true'];
    const [refused, silent, unwilling] = await Promise.all([
      operate(scenario, { token: 'nobody.accepts.this', flags: own }),
      operate(scenario, { through: proxy, flags: own }),
      // It is told to believe whom the cluster believes, and cannot learn who that is.
      scenario.start({
        through: proxy,
        flags: [
          `--secure-port=${await aPort()}`,
          `--authentication-kubeconfig=${await scenario.kubeconfig({ through: proxy })}`,
        ],
      }),
    ]);
    const names = async ({ port }: Operated): Promise<string[]> => port.failedChecks('readyz');
    for (const each of [refused, silent]) {
      await scenario.until(async () => (await names(each)).includes('api-server'), 60_000);
      assert.ok((await names(each)).includes('nodes-synced'));
      assert.equal((await each.port.ask('/livez')).status, 200);
    }
    assert.match(
      await refused.port.reasonOf('api-server'),
      /has refused the manager's credentials/,
    );
    assert.match(await silent.port.reasonOf('api-server'), /has not answered in time/);
    const { code } = await unwilling.ended(60_000);
    assert.equal(code, 1, unwilling.tail);
    const last = unwilling.log.at(-1);
    assert.deepEqual([last?.level, last?.msg], ['error', 'Could not start']);
    const why = JSON.stringify(last?.['err']);
    assert.match(
      why,
      /Cannot reach the API server to look up .*extension-apiserver-authentication/,
    );
    assert.ok(!why.includes('Bind'), 'a role does not help');

    mend();
    proxy.breakConnections();
    await scenario.register({ name: 'late-start' });
    await scenario.untilInitialised(['late-start']);
    await scenario.until(async () => (await silent.port.ask('/readyz')).status === 200);
  });
});

const leases = '/apis/coordination.k8s.io/';

function isLeaseWrite({ kind, path, status = 0 }: Exchange): boolean {
  return kind === 'write' && path.startsWith(leases) && status >= 200 && status < 300;
}

/** When the API server was asked for the Lease, and gave it. */
function takenAtMs({ proxy }: Watched): number {
  const taken = proxy.exchanges.find(isLeaseWrite);
  assert.ok(taken !== undefined, 'it never led');
  return taken.receivedAtMs;
}

/** Whose Lease another one has taken writes nothing that counts: no node, no event. */
function assertNoneAfter({ proxy }: Watched, atMs: number): void {
  const late = proxy.writes.filter(
    ({ receivedAtMs, path, isForwarded }) =>
      receivedAtMs > atMs && isForwarded && !path.startsWith(leases),
  );
  assert.deepEqual(late, []);
}
