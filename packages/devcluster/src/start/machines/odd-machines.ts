/** Machines that go wrong in ways that the KEP has no row for, and one whose operator and kubelet disagree. */
import { operatorAnnotation } from '@tandem/core/node-address';
import { pausedAnnotation } from '@tandem/core/node-init';
import { internalIPs, type Machine } from './machine.ts';

const addresses = ['10.0.0.1', 'fd00::1'];
const instance = { kind: 'own', addresses: internalIPs(addresses) } as const;
const stack = 'DS IPv4-primary';

export const oddMachines: readonly Machine[] = [
  {
    ...odd('foreign'),
    instance: { kind: 'foreign', providerID: 'aws:///eu-central-1a/i-0c0ffee0c0ffee000' },
    expected: { state: 'refused', code: 'ForeignProviderID' },
  },
  {
    ...odd('lost'),
    instance: { kind: 'none' },
    expected: { state: 'refused', code: 'InstanceNotFound' },
  },
  {
    ...odd('override'),
    instance,
    nodeIP: 'IPv4',
    annotations: { [operatorAnnotation]: 'IPv6,IPv4' },
    expected: { state: 'ready', addresses: addresses.toReversed(), stack: 'DS IPv6-primary' },
  },
  {
    ...odd('paused'),
    instance,
    annotations: { [pausedAnnotation]: 'true' },
    expected: { state: 'paused' },
  },
  { ...odd('twin-a'), instance, expected: { state: 'ready', addresses, stack } },
  {
    ...odd('twin-b'),
    instance: { kind: 'of', name: 'twin-a' },
    expected: { state: 'refused', code: 'ProviderIDConflict' },
  },
];

function odd(name: string): Omit<Machine, 'instance' | 'expected'> {
  return { name, group: 'odd', nodeIP: null, annotations: {} };
}
