/**
 * The events of the cloud-node-controller, declared once. Reasons are what people filter by and never
 * change; every code of a refusal is a reason, too, of type Warning.
 */
import { requestsDifferReason } from '@tandem/core/node-address';

/** As upstream calls it. */
export const controllerName = 'cloud-node-controller';

export interface NodeEvent {
  readonly type: 'Normal' | 'Warning';
  readonly action: string;
  readonly meaning: string;
}

export type NodeEventReason = 'Synced' | 'AddressesChanged' | 'NodeIPRequestsDiffer' | 'Paused';

export const nodeEvents: Readonly<Record<NodeEventReason, NodeEvent>> = {
  Synced: {
    type: 'Normal',
    action: 'InitializeNode',
    meaning:
      'The node is initialised: it has its addresses and providerID, and the taint is gone. The event names the addresses and the stack.',
  },
  AddressesChanged: {
    type: 'Normal',
    action: 'UpdateAddresses',
    meaning: 'The addresses of an initialised node changed: from which to which, and why.',
  },
  [requestsDifferReason]: {
    type: 'Warning',
    action: 'UpdateAddresses',
    meaning:
      'The operator’s annotation and kubelet’s ask for different addresses. The operator’s is used.',
  },
  Paused: {
    type: 'Normal',
    action: 'PauseNode',
    meaning: 'The node is left alone because its annotation says so.',
  },
};

/** What was tried when a refusal came about. */
export const refusalActions: Readonly<Record<'uninitialised' | 'initialised' | 'labels', string>> =
  {
    uninitialised: 'InitializeNode',
    initialised: 'UpdateAddresses',
    labels: 'UpdateLabels',
  };
