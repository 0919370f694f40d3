/**
 * Machines that fail in ways that the KEP has no row for, one whose operator and kubelet disagree, and nodes with
 * every common problem of pod CIDRs.
 */
import { operatorAnnotation } from '@tandem/core/node-address';
import { pausedAnnotation } from '@tandem/core/node-init';
import { dualStackPodCIDRs, internalIPs, type Machine, routedLabels } from './machine.ts';

const addresses = ['10.0.0.1', 'fd00::1'];
const instance = { kind: 'own', addresses: internalIPs(addresses) } as const;
const stack = 'DS IPv4-primary';
/** They select a pool with room for one node, and routes for the node that has the instance. */
const twinLabels = { pool: 'small', ...routedLabels };

export const oddMachines: readonly Machine[] = [
  {
    ...odd('foreign'),
    instance: { kind: 'foreign', providerID: 'aws:///eu-central-1a/i-0c0ffee0c0ffee000' },
    podCIDRs: ['192.168.7.0/24', 'fd07::/64'],
    expected: { state: 'refused', code: 'ForeignProviderID' },
    expectedPodCIDRs: { families: ['IPv4', 'IPv6'], code: 'PodCIDROutsidePools' },
  },
  {
    ...odd('lost'),
    instance: { kind: 'none' },
    // As if it had registered when the cluster had only IPv4.
    podCIDRs: ['10.64.200.0/24'],
    expected: { state: 'refused', code: 'InstanceNotFound' },
    expectedPodCIDRs: { families: ['IPv4'], code: 'PodCIDRFamilyMissing' },
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
    expectedPodCIDRs: { families: [], code: null },
  },
  {
    ...odd('twin-a'),
    instance,
    labels: twinLabels,
    expected: { state: 'ready', addresses, stack },
  },
  {
    ...odd('twin-b'),
    instance: { kind: 'of', name: 'twin-a' },
    labels: twinLabels,
    expected: { state: 'refused', code: 'ProviderIDConflict' },
    expectedPodCIDRs: { families: [], code: 'CIDRNotAvailable' },
  },
];

function odd(name: string): Omit<Machine, 'instance' | 'expected'> {
  return {
    name,
    group: 'odd',
    nodeIP: null,
    annotations: {},
    expectedPodCIDRs: dualStackPodCIDRs,
  };
}
