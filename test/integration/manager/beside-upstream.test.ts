/**
 * Tandem in the place of upstream's manager, and beside it: the two exclude each other by the Lease, and
 * a dry run writes nothing and tells where it would have done otherwise.
 */
import assert from 'node:assert/strict';
import { operatorAnnotation } from '@tandem/core/node-address';
import { systemClock } from '@tandem/runtime';
import type { AuditEntry } from '../../control-plane/index.ts';
import { goProgramOrSkip, goPrograms } from '../../support/go-program.ts';
import {
  startUpstreamManager,
  type UpstreamManager,
  type UpstreamManagerOptions,
} from '../../upstream-manager/index.ts';
import { aMachine, type Machine } from './inventory.ts';
import { type LogLine, type ManagerProcess, quickLease } from './manager-process.ts';
import type { Scenario } from './scenario.ts';
import { hasTaint, ipsOf, isUnsafe } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const account = 'system:serviceaccount:kube-system:cloud-controller-manager';

describe('a dry run', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  it('says what it would write and why, and writes nothing', async () => {
    await using scenario = await open({ machines: [aMachine('dry', 1), aMachine('dry-later', 2)] });
    await scenario.register({ name: 'dry' });
    await scenario.register({ name: 'dry-unlisted' });
    const fromMs = systemClock.now();
    const manager = await scenario.start({ flags: ['--dry-run'] });
    const wouldBe = await manager.says(/^Would write/, {
      node: 'dry',
      action: 'initialise',
    });
    assert.equal(wouldBe['providerID'], 'static:///dry');
    const { to } = await manager.says(/^Would write/, { node: 'dry', action: 'writeAddresses' });
    assert.match(String(to), /10\.1\.0\.1.*fd00:1::1/);
    await scenario.register({ name: 'dry-later' });
    await manager.says(/^Would write/, { node: 'dry-later', action: 'initialise' });
    manager.assertRunning();
    assert.deepEqual(await manager.stop(), { code: 0, signal: null });
    assert.ok(hasTaint(scenario.node('dry')));
    assert.equal(await scenario.leaseHolder(), '');
    assert.deepEqual(await writesSince(scenario, fromMs), []);
  });
});

/** There before the first scenario. */
let program: string;

describe('beside upstream’s manager', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  before(async function () {
    program = await goProgramOrSkip(this, goPrograms.upstreamManager);
  });

  /** Starts upstream's manager with these machines, as often as a scenario wants it. */
  function upstreamOn(scenario: Scenario, machines: readonly Machine[]): Upstreams {
    return new Upstreams({
      program,
      kubeconfig: scenario.controlPlane.kubeconfig,
      inventory: machines.map((machine) => ({
        providerID: `static:///${machine.name}`,
        ...machine,
      })),
      flags: ['--controllers=cloud-node-controller', ...quickLease],
    });
  }

  it('one of the two works at a time: each waits for the Lease and takes it over', async () => {
    const names = ['upstreams', 'ours', 'upstreams-again'];
    const machines = names.map((name, index) => aMachine(name, index + 1));
    await using scenario = await open({ machines, company: 'upstream' });
    await using upstreams = upstreamOn(scenario, machines);
    const upstream = await upstreams.start();
    await scenario.register({ name: 'upstreams' });
    await scenario.untilInitialised(['upstreams']);
    assert.ok(scenario.nodes.history.some(isUnsafe), 'the watcher sees what upstream does to P1');
    const proxy = await scenario.proxy();
    const tandem = await scenario.start({ through: proxy, flags: quickLease });
    await tandem.says(/standby/);
    assert.deepEqual(proxy.writes, []);

    await upstream.kill();
    await scenario.register({ name: 'ours', nodeIP: 'IPv6' });
    await scenario.untilInitialised(['ours']);
    assert.deepEqual(ipsOf(scenario.node('ours')), ['fd00:1::2']);

    const next = await upstreams.start();
    await scenario.until(async () => /attempting to acquire leader lease/i.test(await next.log()));
    assert.deepEqual(await tandem.stop(), { code: 0, signal: null });
    const count = proxy.writes.length;
    await scenario.register({ name: 'upstreams-again' });
    await scenario.untilInitialised(['upstreams-again']);
    assert.equal(proxy.writes.length, count);
  });

  it('a dry run writes nothing, and reports where the two differ and only there', async () => {
    const names = ['alike', 'asks-otherwise', 'asks-in-words'];
    const machines = names.map((name, index) => aMachine(name, index + 1));
    await using scenario = await open({ machines, company: 'upstream' });
    await using upstreams = upstreamOn(scenario, machines);
    await upstreams.start();
    await scenario.register({ name: 'alike', nodeIP: '10.1.0.1,fd00:1::1' });
    const annotations = { [operatorAnnotation]: 'IPv6,IPv4' };
    await scenario.register({ name: 'asks-otherwise', annotations });
    await scenario.register({ name: 'asks-in-words', nodeIP: 'IPv4' });
    await scenario.untilInitialised(['alike', 'asks-otherwise']);
    // Upstream removes the taint first and writes the addresses afterwards.
    await scenario.until(() => ipsOf(scenario.node('alike')).length === 2);
    await scenario.until(() => ipsOf(scenario.node('asks-otherwise')).length === 2);

    const fromMs = systemClock.now();
    const tandem = await scenario.start({ flags: ['--dry-run'] });
    const differs = await tandem.says(/^Would write/, { node: 'asks-otherwise' });
    assert.match(String(differs['from']), /10\.1\.0\.2.*fd00:1::2/);
    assert.match(String(differs['to']), /fd00:1::2.*10\.1\.0\.2/);
    await tandem.says(/^Would write/, { node: 'asks-in-words', action: 'initialise' });
    assert.deepEqual(wouldWriteTo(tandem, 'alike'), []);
    assert.equal(wouldWriteTo(tandem, 'asks-otherwise').length, 1);
    assert.deepEqual(await writesSince(scenario, fromMs), []);
    await tandem.stop();
    assert.ok(hasTaint(scenario.node('asks-in-words')), 'upstream does not know the words');
  });
});

/** Upstream's managers of one scenario, which end with it. */
class Upstreams implements AsyncDisposable {
  readonly #options: UpstreamManagerOptions;
  readonly #started: UpstreamManager[] = [];

  constructor(options: UpstreamManagerOptions) {
    this.#options = options;
  }

  async start(): Promise<UpstreamManager> {
    const upstream = await startUpstreamManager(this.#options);
    this.#started.push(upstream);
    return upstream;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const upstream of this.#started) await upstream.kill();
  }
}

function wouldWriteTo(manager: ManagerProcess, node: string): LogLine[] {
  return manager.log.filter((line) => line.msg.startsWith('Would write') && line['node'] === node);
}

/** What the manager's account wrote, by the API server's own record. */
async function writesSince({ controlPlane }: Scenario, fromMs: number): Promise<AuditEntry[]> {
  const reading = new Set(['get', 'list', 'watch']);
  const entries = await controlPlane.audited(fromMs);
  return entries.filter(({ verb, objectRef, user }) => {
    const isQuestion = objectRef?.resource === 'selfsubjectaccessreviews';
    return user.username === account && !reading.has(verb) && !isQuestion;
  });
}
