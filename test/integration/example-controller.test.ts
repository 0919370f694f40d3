/** The controller of docs/guides/write-a-controller.md on a real API server. */
import assert from 'node:assert/strict';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { EventRecorder } from '@tandem/kube/events';
import { Informer } from '@tandem/kube/informer';
import { createMetrics, type Metrics, systemClock, systemRandom } from '@tandem/runtime';
import {
  type ControlPlane,
  eventually,
  request,
  sharedControlPlane,
} from '../control-plane/index.ts';
import { StackLabelController } from '../support/example-controller/index.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { connectClient, type ConnectedClient } from '../support/connected-client.ts';
import { Nodes } from './kube/patch-nodes.ts';

const label = 'example.com/ip-stack';
const internal = (address: string) => ({ type: 'InternalIP', address });

describe('the example controller on a real API server', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;
  let connected: ConnectedClient;
  let nodes: Nodes;

  before(async function () {
    controlPlane = await sharedControlPlane(this);
    connected = await connectClient(controlPlane.kubeconfig);
    nodes = new Nodes(controlPlane.admin);
  });

  after(() => connected?.[Symbol.asyncDispose]());

  /** Its own nodes only: others share the control plane. */
  function start(mode: 'write' | 'dryRun'): { metrics: Metrics; stop(): Promise<void> } {
    const metrics = createMetrics();
    const { client } = connected;
    const base = { client, clock: systemClock, random: systemRandom, logger: silentLogger };
    const informer = new Informer<NodeProjection>({
      ...base,
      metrics,
      resource: { group: '', version: 'v1', resource: 'nodes' },
      reader: createNodeReader(),
      selectors: { labelSelector: 'example=stack' },
    });
    const recorder = new EventRecorder({ ...base, metrics, reportingInstance: 'example' });
    const controller = new StackLabelController({
      ...base,
      nodes: informer,
      recorder,
      mode,
      metrics,
      workers: 4,
    });
    const stopping = new AbortController();
    const { signal } = stopping;
    const running = Promise.all([informer.run(signal), controller.run(signal)]);
    return {
      metrics,
      async stop() {
        stopping.abort(new Error('the test stops the controller'));
        await running;
        await recorder.stop();
      },
    };
  }

  const labelOf = async (name: string): Promise<string | undefined> =>
    (await nodes.get(name)).labels[label];

  async function labelled(name: string, want: string): Promise<void> {
    await eventually(async () => (await labelOf(name)) === want);
  }

  async function reasons(name: string): Promise<string[]> {
    const path = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=${name}`;
    const { text } = await request(controlPlane.admin, { path });
    return JSON.parse(text).items.map(({ reason }: { reason: string }) => reason);
  }

  it('labels nodes, follows their addresses, says so, and is silent when nothing changes', async () => {
    const name = 'example-labelled';
    await nodes.create({ name, labels: { example: 'stack' } });
    const running = start('write');
    await nodes.setAddresses(name, [internal('10.0.0.1')]);
    await labelled(name, 'IPv4');
    await nodes.setAddresses(name, [internal('10.0.0.1'), internal('fd00::1')]);
    await labelled(name, 'dual-stack');
    const { resourceVersion } = await nodes.get(name);
    await eventually(async () => (await reasons(name)).length === 2);
    assert.equal((await nodes.get(name)).resourceVersion, resourceVersion);
    await running.stop();
    assert.match(await running.metrics.render(), /stack_labels_total\{outcome="applied"\} 2\n/);
  });

  it('writes nothing in a dry run', async () => {
    const name = 'example-dry-run';
    await nodes.create({ name, labels: { example: 'stack' } });
    await nodes.setAddresses(name, [internal('fd00::1')]);
    const running = start('dryRun');
    await eventually(async () =>
      /stack_labels_total\{outcome="would_write"\} [1-9]/.test(await running.metrics.render()),
    );
    await running.stop();
    assert.equal(await labelOf(name), undefined);
    assert.deepEqual(await reasons(name), []);
  });
});
