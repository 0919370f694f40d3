/**
 * The events of the cloud-node-controller, declared once. People filter by the reasons, so they never change.
 * Every refusal code is also a reason, of type Warning, and has its text in core. `event-text.ts` has the other texts.
 */
import { requestsDifferReason } from '@tandem/core/node-address';
import type { EventTable } from '../loop/index.ts';

/** Upstream's name. */
export const controllerName = 'cloud-node-controller';

export type NodeEventReason = 'Synced' | 'AddressesChanged' | 'NodeIPRequestsDiffer' | 'Paused';

export const nodeEvents: EventTable<NodeEventReason> = {
  Synced: {
    type: 'Normal',
    action: 'InitializeNode',
    meaning:
      'Tandem initialised the node: it wrote the addresses and providerID and removed the taint. The event names the addresses, the stack and excluded addresses.',
    remedy: 'Nothing.',
  },
  AddressesChanged: {
    type: 'Normal',
    action: 'UpdateAddresses',
    meaning:
      'Tandem changed the addresses of an initialised node. The event names the old and new addresses, the reason, and which addresses are excluded by what.',
    remedy:
      'Nothing, if the change was intended. Otherwise read the reason in the event: the cloud’s list of addresses changed, the request changed, or an address is excluded. A VIP that the cloud lists for the node needs no action. For any other excluded address, change `excludeCIDRs` or give the instance another address.',
    warnsWhen: 'the node lost an address because it is excluded',
  },
  [requestsDifferReason]: {
    type: 'Warning',
    action: 'UpdateAddresses',
    meaning:
      'The annotation of the operator and the annotation of the kubelet request different addresses, or nothing satisfies the kubelet’s request. Tandem uses the operator’s.',
    remedy:
      'Remove the annotation `tandem.dev/node-ip`, or set the kubelet’s `--node-ip` to the same value.',
  },
  Paused: {
    type: 'Normal',
    action: 'PauseNode',
    meaning: 'Tandem does not manage the node because of its annotation.',
    remedy: 'Remove the annotation `tandem.dev/paused` when Tandem should manage the node again.',
  },
};

/** The action of the event, by what the controller tried when the refusal occurred. */
export const refusalActions: Readonly<Record<'uninitialised' | 'initialised' | 'labels', string>> =
  {
    uninitialised: 'InitializeNode',
    initialised: 'UpdateAddresses',
    labels: 'UpdateLabels',
  };
