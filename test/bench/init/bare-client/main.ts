/**
 * The bare client of this bench: it writes a node's status, then the node, then an event.
 * Arguments: a kubeconfig and the number of nodes.
 */
import { systemClock } from '@tandem/runtime';
import {
  instanceOf,
  labelsOf,
  taintIndex,
  uninitialized,
  wantedAddresses,
} from '../../contest/fleet.ts';
import { type Write, writeNodes } from '../../contest/write-nodes.ts';
import { nodeName } from '../../informer/node-objects.ts';

const [, , kubeconfig = '', count = ''] = process.argv;
await writeNodes({ kubeconfig, nodes: Number(count), clock: systemClock, writesOf });

function writesOf(number: number): Write[] {
  const path = `/api/v1/nodes/${nodeName(number)}`;
  return [
    { method: 'PATCH', path: `${path}/status`, body: statusPatch(number) },
    { method: 'PATCH', path, body: nodePatch(number) },
    eventOf(number),
  ];
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

function eventOf(number: number): Write {
  const time = new Date(systemClock.now()).toISOString().replace('Z', '000Z');
  const body = {
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
  return { method: 'POST', path: '/apis/events.k8s.io/v1/namespaces/default/events', body };
}
