/** A person at the embedded cluster: a session of the real kubectl, and what it prints. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SimulatedKubelet } from '@tandem/devcluster/kubelet';
import { createCluster, type EmbeddedCluster } from '@tandem/devcluster/model';
import { serve, type ServedCluster } from '@tandem/devcluster/serve';
import { systemClock, systemEnvironment, systemIds, systemRandom } from '@tandem/runtime';
import { findOnPath } from '../support/on-path.ts';

const run = promisify(execFile);

describe('kubectl on the embedded cluster', function () {
  this.timeout(60_000);
  let directory: string;
  let cluster: EmbeddedCluster;
  let served: ServedCluster;
  let program: string;

  before(async function () {
    const found = findOnPath('kubectl', systemEnvironment());
    if (found === undefined) {
      process.stderr.write('Skipping the session with kubectl: there is none on the PATH.\n');
      this['skipReason'] = 'no kubectl';
      this.skip();
    }
    program = found;
    cluster = createCluster({ clock: systemClock, random: systemRandom });
    served = await serve({ cluster, clock: systemClock });
    directory = await mkdtemp(join(tmpdir(), 'tandem-kubectl-'));
    await writeFile(join(directory, 'kubeconfig'), served.kubeconfig, { mode: 0o600 });
    const ports = { transport: cluster.connect(), clock: systemClock, ids: systemIds };
    const kubelet = new SimulatedKubelet(ports, { name: 'node-1', nodeIP: '10.0.0.1' });
    await kubelet.register();
    await kubelet.renewLease();
  });

  after(async () => {
    await served?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  });

  const kubectl = async (...args: string[]): Promise<string> => {
    const settings = [
      `--kubeconfig=${join(directory, 'kubeconfig')}`,
      `--cache-dir=${join(directory, 'cache')}`,
    ];
    const { stdout } = await run(program, [...settings, ...args]);
    return stdout;
  };

  it('lists nodes with their addresses', async () => {
    const [header = '', line = ''] = (await kubectl('get', 'nodes', '-o', 'wide')).split('\n');
    assert.match(header, /^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP +EXTERNAL-IP +OS-IMAGE/);
    assert.match(
      line,
      /^node-1 +Ready +<none> +\d+s +v1\.36\.4 +10\.0\.0\.1 +<none> +Tandem simulated/,
    );
  });

  it('shows the address of the cluster', async () => {
    assert.match(await kubectl('cluster-info'), /control plane.* is running at .*https:/);
    assert.equal(await kubectl('get', 'services'), '');
  });

  it('is refused when it impersonates a user', async () => {
    await assert.rejects(
      kubectl('--as=nobody', 'delete', 'node', 'node-1'),
      /the embedded API server of Tandem does not act as somebody else/,
    );
    assert.match(await kubectl('get', 'nodes'), /^node-1 /m);
  });

  it('is refused a deletion that would wait for a garbage collector', async () => {
    await assert.rejects(
      kubectl('delete', 'node', 'node-1', '--cascade=foreground'),
      /does not collect garbage/,
    );
    assert.match(await kubectl('get', 'nodes'), /^node-1 /m);
  });

  it('annotates, labels, taints and cordons, and shows it all in describe', async () => {
    await kubectl('annotate', 'node', 'node-1', 'tandem.dev/node-ip=IPv6,IPv4');
    await kubectl('label', 'node', 'node-1', 'pool=storage');
    await kubectl('taint', 'node', 'node-1', 'dedicated=storage:NoSchedule');
    await kubectl('cordon', 'node-1');
    const text = await kubectl('describe', 'node', 'node-1');
    for (const pattern of [
      /tandem\.dev\/node-ip: IPv6,IPv4/,
      /pool=storage/,
      /dedicated=storage:NoSchedule/,
      /Unschedulable: +true/,
      /HolderIdentity: +node-1/,
      /InternalIP: +10\.0\.0\.1/,
      /Ready +True .*KubeletReady/,
      /Non-terminated Pods: +\(0 in total\)/,
    ]) {
      assert.match(text, pattern);
    }
    await kubectl('taint', 'node', 'node-1', 'dedicated-');
    await kubectl('uncordon', 'node-1');
    await kubectl('annotate', 'node', 'node-1', 'tandem.dev/node-ip-');
    const spec = await kubectl('get', 'node', 'node-1', '-o', 'jsonpath={.spec.taints[*].key}');
    assert.ok(!spec.includes('dedicated'));
  });

  it('creates and applies from a file, and reports wrong fields', async () => {
    const file = join(directory, 'node.json');
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-2', labels: { a: 'b' } },
    };
    await writeFile(file, JSON.stringify(node));
    assert.match(await kubectl('apply', '-f', file), /node\/node-2 created/);
    await writeFile(file, JSON.stringify({ ...node, spec: { unschedulable: true } }));
    assert.match(await kubectl('apply', '-f', file), /node\/node-2 configured/);
    assert.match(await kubectl('apply', '-f', file), /node\/node-2 unchanged/);
    await writeFile(file, JSON.stringify({ ...node, spec: { nonsense: 1 } }));
    await assert.rejects(kubectl('apply', '-f', file), /unknown field "spec\.nonsense"/);
  });

  it('shows events and leases', async () => {
    const { uid } = JSON.parse(await kubectl('get', 'node', 'node-1', '-o', 'json')).metadata;
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'claimed', namespace: 'default' },
      eventTime: new Date(systemClock.now()).toISOString().replace('Z', '000Z'),
      reportingController: 'tandem.dev/tests',
      reportingInstance: 'tests-1',
      action: 'Claim',
      reason: 'Claimed',
      type: 'Warning',
      note: 'so it is',
      regarding: { kind: 'Node', name: 'node-1', uid },
    };
    const file = join(directory, 'event.json');
    await writeFile(file, JSON.stringify(event));
    await kubectl('create', '-f', file);
    assert.match(await kubectl('get', 'events'), /Warning +Claimed +node\/node-1 +so it is/);
    assert.match(await kubectl('describe', 'node', 'node-1'), /Warning +Claimed .*so it is/);
    assert.match(await kubectl('get', 'leases', '-A'), /kube-node-lease +node-1 +node-1/);
  });

  it('drains and deletes a node, and waits until it is gone', async () => {
    assert.match(await kubectl('drain', 'node-2'), /node\/node-2 drained/);
    assert.match(await kubectl('delete', 'node', 'node-2'), /node "node-2" deleted/);
    await assert.rejects(kubectl('get', 'node', 'node-2'), /nodes "node-2" not found/);
  });

  it('tells users who they are and what they may do', async () => {
    const whoami = await kubectl('auth', 'whoami');
    assert.match(whoami, /^Username +admin$/m);
    assert.match(whoami, /^Groups +\[system:masters system:authenticated\]$/m);
    for (const wanted of [
      ['delete', 'nodes'],
      ['create', 'configmaps'],
      ['get', '/metrics'],
    ]) {
      assert.equal((await kubectl('auth', 'can-i', ...wanted)).trim(), 'yes');
    }
  });

  it('creates namespaces and config maps by command', async () => {
    await kubectl('create', 'namespace', 'zoo');
    await kubectl('create', 'configmap', 'food', '-n', 'zoo', '--from-literal=bear=honey');
    const food = JSON.parse(await kubectl('get', 'configmap', 'food', '-n', 'zoo', '-o', 'json'));
    assert.deepEqual(food.data, { bear: 'honey' });
  });

  it('gets a 501 that names what the embedded server does not do', async () => {
    await assert.rejects(
      kubectl('create', 'deployment', 'x', '--image=y'),
      /the embedded API server of Tandem does not support deployments of apps/,
    );
    await assert.rejects(
      kubectl('get', 'clusterroles'),
      /the server doesn't have a resource type "clusterroles"/,
    );
  });
});
