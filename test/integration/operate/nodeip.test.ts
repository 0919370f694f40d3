/**
 * `kubectl nodeip` on a cluster with a real API server and a manager that leads: the manager's own view with a user's own
 * token or certificate, and what is said where the one or the other may not be read.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { request } from '../../control-plane/index.ts';
import { useHelm } from '../chart/helm.ts';
import { aMachine } from '../manager/inventory.ts';
import type { Scenario } from '../manager/scenario.ts';
import { applyManifest, untilAllowed } from '../manager/shipped-access.ts';
import { useInstallation } from '../manager/installation.ts';
import { createAccount, tokenFor } from '../serving/cluster.ts';
import { dataOf, type Plugin, pluginAs, userWith } from './nodeip.ts';
import { operate, type Operated, untilLeading } from './operated.ts';

const names = ['n0', 'n1', 'n2', 'n3'];
const asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  n1: { 'tandem.dev/node-ip': 'IPv6,IPv4' },
  n2: { 'tandem.dev/node-ip': '192.0.2.9' },
};
const readNodes = { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] };
const readPages = { nonResourceURLs: ['/statusz/*'], verbs: ['get'] };

describe('kubectl nodeip beside a manager that leads', function () {
  this.timeout(60_000);
  const { open } = useInstallation();
  const { render } = useHelm();
  let scenario: Scenario;
  let operated: Operated;
  let plugin: Plugin;
  let token: string;

  before(async function () {
    this.timeout(120_000);
    scenario = await open();
    const machines = names.map((name, index) => aMachine(name, index + 1));
    await scenario.inventory.write(machines, join(scenario.directory, 'routes.json'));
    operated = await operate(scenario, {
      flags: ['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/16,fd00:10:244::/48'],
    });
    await untilLeading(scenario, operated);
    for (const name of names) await scenario.register({ name, annotations: asked[name] ?? {} });
    token = await userWith(scenario, 'viewer', [readNodes, readPages]);
    plugin = await pluginAs(scenario, 'viewer', { token }, operated.port);
    await scenario.untilInitialised(['n0', 'n1', 'n3']);
    await scenario.untilSaid('n2', 'AddressNotFound');
    await scenario.until(async () => {
      const { items } = dataOf(await plugin('routes', '-ojson'));
      assert.equal(items.length, 6);
      return items.every(({ state }: { state: string }) => state === 'present');
    });
  });

  after(() => scenario?.[Symbol.asyncDispose]());

  it('shows what every node asked for, what it got, and since when it waits', async () => {
    const ran = await plugin('status', '-o', 'json');
    assert.deepEqual([ran.exitCode, ran.errors], [0, '']);
    const { manager, items } = dataOf(ran);
    assert.deepEqual([manager.reached, manager.problem], [true, null]);
    assert.deepEqual(
      items.map(({ node, state, stack, reason }: Record<string, unknown>) => [
        node,
        state,
        stack,
        reason,
      ]),
      [
        ['n0', 'initialised', 'DS IPv4-primary', null],
        ['n1', 'initialised', 'DS IPv6-primary', null],
        ['n2', 'refused', null, 'AddressNotFound'],
        ['n3', 'initialised', 'DS IPv4-primary', null],
      ],
    );
    const [, n1, n2] = items;
    assert.deepEqual(n1.asked, { value: 'IPv6,IPv4', source: 'tandem.dev/node-ip' });
    assert.deepEqual(n1.got, ['fd00:1::2', '10.1.0.2']);
    assert.ok(Date.parse(n2.since) > 0);
    const text = await plugin('status');
    assert.match(text.output, /^NAME +STATE +ASKED +GOT +STACK +SINCE +REASON$/m);
    assert.match(text.output, /^n2 +refused +192\.0\.2\.9 +- +- +\d+s +AddressNotFound$/m);
    assert.match((await plugin('status', '-owide')).output, /InternalIP 10\.1\.0\.1/);
    assert.match((await plugin('status', '-oyaml')).output, /^ {2}- node: "n0"$/m);
  });

  it('explains a node with the plan of the controller, refusals included', async () => {
    const refused = await plugin('explain', 'n2', '-ojson');
    assert.equal(refused.exitCode, 3);
    const answer = dataOf(refused);
    const event = await scenario.untilSaid('n2', 'AddressNotFound');
    assert.equal(answer.error.code, 'AddressNotFound');
    assert.ok(event.note.startsWith(answer.error.message), event.note);
    assert.deepEqual(
      answer.cloud.map(({ address }: { address: string }) => address),
      ['10.1.0.3', 'fd00:1::3'],
    );
    const settled = await plugin('explain', 'n1');
    assert.deepEqual([settled.exitCode, settled.errors], [0, '']);
    assert.match(settled.output, /^Node +n1 \(initialised\)$/m);
    assert.match(settled.output, /^Result +DS IPv6-primary$/m);
    assert.match(settled.output, /^Writes +none$/m);
  });

  it('shows the pools and who holds their blocks', async () => {
    const { summary, items } = dataOf(await plugin('cidrs', '-ojson'));
    assert.deepEqual(
      summary.pools[0].ranges.map(({ bound }: { bound: number }) => bound),
      [4, 4],
    );
    assert.deepEqual(
      items.map(({ name, state }: { name: string; state: string }) => [name, state]),
      names.map((name) => [name, 'bound']),
    );
    assert.match(
      (await plugin('cidrs')).output,
      /^cluster-cidr +10\.244\.0\.0\/16 +\/24 +256 +4 /m,
    );
  });

  it('takes a client certificate that the manager trusts as well as a token', async () => {
    const { cert = '', key = '' } = scenario.controlPlane.admin;
    const admin = await pluginAs(scenario, 'admin', { cert, key }, operated.port);
    const { manager } = dataOf(await admin('status', '-ojson'));
    assert.deepEqual([manager.reached, manager.problem], [true, null]);
  });

  it('needs no rights but those of the viewers of the chart, which reach no other Lease', async () => {
    const { admin } = scenario.controlPlane;
    const account = await createAccount(scenario.controlPlane, 'chart-viewer');
    const viewers = [{ kind: 'ServiceAccount', name: account.name, namespace: 'default' }];
    const objects = await render({ viewers });
    await applyManifest(
      admin,
      objects.filter(({ metadata }) => metadata.name.endsWith(':viewer')),
      'replace',
    );
    const own = await tokenFor(scenario.controlPlane, account);
    const asker = { server: admin.server, ca: admin.ca, token: own };
    await untilAllowed(asker, { group: '', resource: 'nodes', verb: 'list' }, 'allowed');

    const viewer = await pluginAs(scenario, 'chart-viewer', { token: own }, operated.port);
    const { manager } = dataOf(await viewer('status', '-ojson'));
    assert.deepEqual([manager.reached, manager.problem], [true, null]);
    const audited = await viewer('audit');
    assert.deepEqual([audited.exitCode, /forbidden|Not checked/.test(audited.errors)], [0, false]);
    // It reads the Lease and looks for the pod; the manager of this test is none.
    const forwarding = await pluginAs(scenario, 'chart-viewer', { token: own });
    const found = dataOf(await forwarding('status', '-ojson'));
    assert.match(found.manager.problem, /^the Lease \S+ is held by \S+, which is no pod/);

    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
    for (const path of [`${leases}/kube-scheduler`, leases]) {
      assert.equal((await request(asker, { path })).status, 403, path);
    }
  });

  it('says which right is missing at the manager, and shows what objects alone tell', async () => {
    const reader = await userWith(scenario, 'reader', [readNodes]);
    const ask = await pluginAs(scenario, 'reader', { token: reader }, operated.port);
    const ran = await ask('status');
    assert.equal(ran.exitCode, 0);
    assert.match(
      ran.errors,
      /^warning: The manager's view is missing \(https:\S+\): .*cannot get path "\/statusz\/nodes".*asked with a token.*nonResourceURLs \/statusz\/\*.*objects of the cluster tell\.$/m,
    );
    assert.match(
      ran.output,
      /^n1 +initialised +IPv6,IPv4 +fd00:1::2,10\.1\.0\.2 +DS IPv6-primary/m,
    );
    const explained = await ask('explain', 'n2');
    assert.equal(explained.exitCode, 0);
    assert.match(explained.output, /known to the manager alone/);
    const compared = await ask('compare');
    assert.deepEqual([compared.exitCode, compared.output], [4, '']);
    assert.match(compared.errors, /nonResourceURLs \/statusz\/\*\.$/m);
    assert.equal((await ask('cidrs')).exitCode, 0);
    assert.match(
      (await ask('routes')).output,
      /^n0 +10\.244\.\d+\.0\/24,\S+ +False \(RouteCreated\)$/m,
    );
  });

  it('refuses clearly without the right to read nodes, without the node, and without a cluster', async () => {
    const nobody = await pluginAs(scenario, 'nobody', {
      token: await userWith(scenario, 'nobody', []),
    });
    for (const command of [['status'], ['explain', 'n0']]) {
      const ran = await nobody(...command, '--no-manager');
      assert.equal(ran.exitCode, 4);
      assert.match(
        ran.errors,
        /^error: nodes .*is forbidden: User "system:serviceaccount:\S+" cannot .*You need the right to read nodes\.$/m,
      );
    }
    const missing = await plugin('explain', 'nope');
    assert.equal(missing.exitCode, 2);
    assert.match(missing.errors, /^error: There is no node "nope" in the cluster at https:\S+\./m);
    const nowhere = await plugin('status', '--context=other');
    assert.equal(nowhere.exitCode, 2);
    assert.match(nowhere.errors, /has no context "other"/);
  });

  it('says that a manager that does not answer was not asked', async () => {
    const alone = await pluginAs(scenario, 'alone', { token });
    const ran = await alone('status', '--manager=https://127.0.0.1:1', '--manager-skip-tls-verify');
    assert.equal(ran.exitCode, 0);
    assert.match(
      ran.errors,
      /^warning: The manager's view is missing \(https:\/\/127\.0\.0\.1:1\): cannot connect to \S+ \(ECONNREFUSED\)\. Check that the manager runs, and that this is its secure port\. This is /m,
    );
    const unknown = await alone('status', `--manager=${operated.port.address}`);
    assert.match(
      unknown.errors,
      /^warning: .*certificate.* --manager-ca\. .* --cert-dir keeps in a file\. This is /m,
    );
    const explained = await alone('explain', 'n0', '--no-manager');
    assert.match(explained.output, /^Cloud +not known$/m);
    const named = await alone('status', '--no-manager');
    assert.doesNotMatch(named.errors, /manager/);
  });

  it('shows without the manager what events say of a refused node, and a request that is not met', async () => {
    const { cert = '', key = '' } = scenario.controlPlane.admin;
    const admin = await pluginAs(scenario, 'looks-alone', { cert, key });
    const shown = await admin('status', '--no-manager');
    assert.match(shown.output, /^n2 +refused +192\.0\.2\.9 +- +- +\d+s +AddressNotFound$/m);
    assert.match(shown.output, /^n1 +initialised +IPv6,IPv4 +\S+ +DS IPv6-primary +- +-$/m);
    const explained = await admin('explain', 'n2', '--no-manager');
    assert.match(explained.output, /^Node +n2 \(refused\)$/m);
    assert.match(explained.output, /AddressNotFound: .*192\.0\.2\.9/);
    const viewer = await pluginAs(scenario, 'reads-no-events', { token });
    const poorer = await viewer('status', '--no-manager');
    assert.equal(poorer.exitCode, 0);
    assert.match(
      poorer.errors,
      /^warning: events is forbidden.*read events in the namespace default/m,
    );
    assert.match(poorer.output, /^n2 +waiting /m);
  });

  it('does not take an audit without the manager for one that found nothing', async () => {
    const { cert = '', key = '' } = scenario.controlPlane.admin;
    const alone = await pluginAs(scenario, 'audits-alone', { cert, key });
    const ran = await alone('audit', '--manager=https://127.0.0.1:1', '--manager-skip-tls-verify');
    assert.equal(ran.exitCode, 4);
    assert.match(ran.errors, /^No breach found\. .*Not checked: .*events of refusals\.$/m);
    assert.equal((await alone('audit', '--no-manager')).exitCode, 0);
  });
});
