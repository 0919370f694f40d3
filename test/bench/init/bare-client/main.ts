/**
 * The least that anybody can do to initialise nodes: it knows all names and values beforehand, reads
 * nothing, and sends each node's writes one after the other, sixteen nodes at a time. Arguments: a
 * kubeconfig, the number of nodes, and `event` or `silent`. It stays when it has done, so that the
 * kernel's counts of it can be read, until it is told to end.
 */
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport } from '@tandem/kube/transport';
import { systemClock } from '@tandem/runtime';
import { nodeName } from '../../informer/node-objects.ts';
import { instanceOf, labelsOf, taintIndex, uninitialized, wantedAddresses } from '../fleet.ts';

const nodesAtOnce = 16;

const [, , kubeconfig = '', count = '', wanted = ''] = process.argv;
const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
const transport = createTransport({ credentials, userAgent: 'bare-client' });
const { signal } = new AbortController();
const jsonPatch = 'application/json-patch+json';
const eventsPath = '/apis/events.k8s.io/v1/namespaces/default/events';

let begun = 0;
await Promise.all(Array.from({ length: nodesAtOnce }, work));
// A timer so far away that only a signal ends the program.
systemClock.after(24 * 60 * 60_000, () => {});

async function work(): Promise<void> {
  while (begun < Number(count)) {
    const number = begun;
    begun += 1;
    const path = `/api/v1/nodes/${nodeName(number)}`;
    await send({ method: 'PATCH', path: `${path}/status`, body: statusPatch(number) });
    await send({ method: 'PATCH', path, body: nodePatch(number) });
    if (wanted === 'event') await send({ method: 'POST', path: eventsPath, body: event(number) });
  }
}

async function send(request: {
  readonly method: 'PATCH' | 'POST';
  readonly path: string;
  readonly body: unknown;
}): Promise<void> {
  const { method, path, body } = request;
  const headers = {
    accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
    'content-type': method === 'PATCH' ? jsonPatch : 'application/json',
  };
  const answer = await transport.send({
    method,
    path,
    headers,
    body: JSON.stringify(body),
    signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  if (answer.status >= 300) {
    throw new Error(`${method} ${path}: ${answer.status} ${Buffer.concat(chunks).toString()}`);
  }
}

function statusPatch(number: number): unknown {
  return [{ op: 'add', path: '/status/addresses', value: wantedAddresses(number) }];
}

function nodePatch(number: number): unknown {
  const taint = `/spec/taints/${taintIndex}`;
  const labels = Object.entries(labelsOf(number)).map(([key, value]) => ({
    op: 'add',
    path: `/metadata/labels/${key.replaceAll('/', '~1')}`,
    value,
  }));
  return [
    { op: 'test', path: `${taint}/key`, value: uninitialized },
    { op: 'remove', path: taint },
    { op: 'add', path: '/spec/providerID', value: instanceOf(number).providerID },
    ...labels,
  ];
}

function event(number: number): unknown {
  const time = new Date(systemClock.now()).toISOString().replace('Z', '000Z');
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${nodeName(number)}.synced`, namespace: 'default' },
    eventTime: time,
    type: 'Normal',
    reason: 'Synced',
    action: 'Initialize',
    note: 'Node synced successfully',
    reportingController: 'bare-client',
    reportingInstance: 'bare-client',
    regarding: { apiVersion: 'v1', kind: 'Node', name: nodeName(number) },
  };
}
