/**
 * `kubectl nodeip audit` on a real API server: it finds nothing on a cluster that the manager has made, and each of the
 * breaches that are planted in it afterwards, while a manager in a dry run tells what the cloud has. `compare` shows what
 * that manager would do about them.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uninitializedTaint } from '@tandem/core/node-init';
import { aMachine, internal } from '../manager/inventory.ts';
import type { Scenario } from '../manager/scenario.ts';
import { useInstallation } from '../manager/installation.ts';
import { dataOf, type Plugin, pluginAs } from './nodeip.ts';
import { operate, untilLeading } from './operated.ts';

const flags = [
  '--allocate-node-cidrs',
  '--cluster-cidr=10.244.0.0/16,fd00:10:244::/48',
  '--controllers=*,-cloud-node-lifecycle-controller',
];
const healthy = Array.from({ length: 12 }, (_, index) => `h${String(index).padStart(2, '0')}`);
const config = `apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
vips: {apiVIP: 10.1.9.9}
`;

describe('kubectl nodeip audit', function () {
  this.timeout(120_000);
  const { open } = useInstallation();

  it('finds every planted breach, and nothing on a healthy cluster', async () => {
    await using scenario = await open({ company: 'upstream' });
    const routeFile = join(scenario.directory, 'routes.json');
    const machines = healthy.map((name, index) => aMachine(name, index + 1));
    await scenario.inventory.write(machines, routeFile);
    const configFile = join(scenario.directory, 'config.yaml');
    await writeFile(configFile, config);
    const run = [...flags, `--config=${configFile}`];
    const writing = await operate(scenario, { flags: run });
    await untilLeading(scenario, writing);
    await Promise.all(healthy.map((name) => scenario.register({ name })));
    await scenario.untilInitialised(healthy);
    const { cert = '', key = '' } = scenario.controlPlane.admin;
    const asked = await pluginAs(scenario, 'admin', { cert, key }, writing.port);
    await scenario.until(async () => {
      const { items } = dataOf(await asked('routes', '-ojson'));
      assert.equal(items.length, 2 * healthy.length);
      return items.every(({ state }: { state: string }) => state === 'present');
    });
    await pause(scenario, 'h11');
    await scenario.until(async () => {
      const { items } = dataOf(await asked('routes', '-ojson'));
      return items.some(({ state }: { state: string }) => state === 'unwanted');
    });

    const clean = await asked('audit', '-ojson');
    assert.deepEqual([dataOf(clean).items, clean.errors, clean.exitCode], [[], '', 0]);
    assert.deepEqual(dataOf(clean).unchecked, []);
    await writing.manager.stop();

    await plant(scenario, routeFile, machines);
    const watching = await operate(scenario, { flags: [...run, '--dry-run'] });
    const audit = await pluginAs(scenario, 'admin', { cert, key }, watching.port);
    await scenario.until(async () => {
      const { items, pending } = dataOf(await audit('compare', '-ojson'));
      return pending === 0 && items.some(({ what }: { what: string }) => what === 'route');
    });
    await assertFound(audit);
    await assertFoundAlone(await pluginAs(scenario, 'alone', { cert, key }));
    await assertCompared(audit);
  });
});

/** What is planted on which object. */
const planted = [
  ['AddressNotInCloud', 'h02'],
  ['DuplicatePodCIDR', 'twin-a'],
  ['DuplicatePodCIDR', 'twin-b'],
  ['ExcludedAddress', 'h03'],
  ['NetworkWithoutRoute', 'h04'],
  ['PodCIDRFamilyMissing', 'half'],
  ['PodCIDROutsidePools', 'outside'],
  ['ProviderIDTwice', 'h05'],
  ['RouteToNobody', '10.244.200.0/24'],
  ['TaintGoneWithoutAddresses', 'bare'],
  ['TaintGoneWithoutProviderID', 'nameless'],
];

async function plant(
  scenario: Scenario,
  routeFile: string,
  machines: readonly ReturnType<typeof aMachine>[],
): Promise<void> {
  const addresses = (...texts: string[]) => ({ status: { addresses: internal(...texts) } });
  await patchStatus(scenario, 'h02', addresses('10.1.77.77', 'fd00:1::3'));
  await patchStatus(scenario, 'h03', addresses('10.1.9.9', 'fd00:1::4'));
  await node(scenario, 'bare', { providerID: 'static:///bare' }, {});
  await node(scenario, 'nameless', {}, addresses('10.1.8.1').status);
  const h05 = scenario.node('h05');
  const status = { addresses: h05.status.addresses };
  await node(scenario, 'impostor', { providerID: h05.spec.providerID ?? '' }, status);
  const extra = ['twin-a', 'twin-b', 'outside', 'half'].map((name, index) =>
    aMachine(name, 100 + index),
  );
  const podCIDRs = [
    ['10.244.90.0/24', 'fd00:10:244:90::/64'],
    ['10.244.90.128/25', 'fd00:10:244:91::/64'],
    ['192.168.7.0/24', 'fd00:10:244:92::/64'],
    ['10.244.93.0/24'],
  ];
  for (const [index, machine] of extra.entries()) {
    const spec = { providerID: `static:///${machine.name}`, podCIDRs: podCIDRs[index] ?? [] };
    await node(scenario, machine.name, spec, { addresses: machine.addresses });
  }
  const holding = { addresses: internal('10.1.9.9', '10.1.0.4', 'fd00:1::4') };
  const all = machines.map((one) => (one.name === 'h03' ? { ...one, ...holding } : one));
  await scenario.inventory.write([...all, ...extra], routeFile);
  await changeRoutes(scenario, routeFile);
  await waitingNode(scenario);
}

/** A node as another manager may have left it. */
async function node(scenario: Scenario, name: string, spec: object, status: object): Promise<void> {
  const [podCIDR] = 'podCIDRs' in spec && Array.isArray(spec.podCIDRs) ? spec.podCIDRs : [];
  const body = {
    metadata: { name },
    spec: { ...spec, ...(podCIDR === undefined ? {} : { podCIDR }) },
  };
  await scenario.ask({ method: 'POST', path: '/api/v1/nodes', body });
  await patchStatus(scenario, name, { status });
}

async function patchStatus(scenario: Scenario, name: string, body: object): Promise<void> {
  const contentType = 'application/merge-patch+json';
  await scenario.ask({ method: 'PATCH', path: `/api/v1/nodes/${name}/status`, contentType, body });
}

/** The manager leaves the routes of a paused node as they are. */
async function pause(scenario: Scenario, name: string): Promise<void> {
  const contentType = 'application/merge-patch+json';
  const body = { metadata: { annotations: { 'tandem.dev/paused': 'true' } } };
  await scenario.ask({ method: 'PATCH', path: `/api/v1/nodes/${name}`, contentType, body });
}

/** One route to nobody, and one that a node needs is gone. */
async function changeRoutes(scenario: Scenario, routeFile: string): Promise<void> {
  const table = JSON.parse(await readFile(routeFile, 'utf8'));
  const lost = scenario.node('h04').spec.podCIDRs?.[0];
  const kept = table.routes.filter(
    ({ destination }: { destination: string }) => destination !== lost,
  );
  assert.equal(kept.length, table.routes.length - 1);
  const stray = { destination: '10.244.200.0/24', node: 'gone', nextHop: '10.1.0.250' };
  await writeFile(routeFile, JSON.stringify({ routes: [...kept, stray] }));
}

/** A node that is refused, which is no breach. */
async function waitingNode(scenario: Scenario): Promise<void> {
  const taints = [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' }];
  await node(scenario, 'waiting', { taints }, {});
}

async function assertFound(audit: Plugin): Promise<void> {
  const ran = await audit('audit', '-ojson');
  assert.equal(ran.exitCode, 1);
  const { items } = dataOf(ran);
  const found = items.map(
    ({ code, object }: { code: string; object: string }) => `${code} ${object}`,
  );
  assert.deepEqual(found.toSorted(), planted.map((one) => one.join(' ')).toSorted());
  const text = await audit('audit');
  assert.match(text.output, /^PROMISE +BREACH +OBJECT +MESSAGE$/m);
  assert.match(
    text.output,
    /^P1 +TaintGoneWithoutAddresses +bare +The node has no uninitialized taint/m,
  );
  assert.match(
    text.errors,
    /^Breaches: 11\. Nodes checked: \d+\. Not checked: events of refusals \(a dry run sends none\)\. -o wide shows what to do\.$/m,
  );
}

/** What the objects of the cluster tell without any manager. */
async function assertFoundAlone(audit: Plugin): Promise<void> {
  const ran = await audit('audit', '-ojson', '--no-manager');
  const { items, unchecked } = dataOf(ran);
  assert.equal(ran.exitCode, 1);
  assert.equal(unchecked.length, 4);
  const found: string[] = items.map(({ code }: { code: string }) => code);
  assert.deepEqual([...new Set(found)].toSorted(), [
    'DuplicatePodCIDR',
    'ProviderIDTwice',
    'TaintGoneWithoutAddresses',
    'TaintGoneWithoutProviderID',
  ]);
}

async function assertCompared(compare: Plugin): Promise<void> {
  const { mode, items } = dataOf(await compare('compare', '-ojson'));
  assert.equal(mode, 'dryRun');
  const changes = items.map(
    ({ what, object, change }: Record<string, string>) => `${what} ${object} ${change}`,
  );
  for (const wanted of [
    /^node h02 writeAddresses$/,
    /^node waiting refuse \(InstanceNotFound\)$/,
    /^podCIDRs outside report PodCIDROutsidePools$/,
    /^route 10\.244\.200\.0\/24 delete in /,
    /^route 10\.244\.\d+\.0\/24 create to h04 in /,
  ]) {
    assert.ok(
      changes.some((line: string) => wanted.test(line)),
      `${wanted}: ${changes.join('\n')}`,
    );
  }
}
