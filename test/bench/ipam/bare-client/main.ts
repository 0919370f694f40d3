/**
 * The bare client of this bench: it writes each node once, with its pod CIDRs. Arguments: a kubeconfig and the
 * number of nodes.
 */
import { systemClock } from '@tandem/runtime';
import { writeNodes } from '../../contest/write-nodes.ts';
import { nodeName } from '../../informer/node-objects.ts';
import { podCIDRsOf } from '../fleet.ts';

const [, , kubeconfig = '', count = ''] = process.argv;
await writeNodes({
  kubeconfig,
  nodes: Number(count),
  clock: systemClock,
  writesOf: (number) => [
    {
      method: 'PATCH',
      path: `/api/v1/nodes/${nodeName(number)}`,
      body: [{ op: 'add', path: '/spec/podCIDRs', value: podCIDRsOf(number) }],
    },
  ],
});
