/**
 * Every event that the program sends about a node, by the controller that sends it: what is declared
 * there, and what to do about it.
 */
import {
  controllerName as nodeControllerName,
  type NodeEventReason,
  nodeEvents,
  refusalActions,
} from '@tandem/controllers/node';
import {
  controllerName as lifecycleControllerName,
  type LifecycleEventReason,
  lifecycleEvents,
} from '@tandem/controllers/node-lifecycle';
import { requestRefusals } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';

export interface EventNote {
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  /** One of them. */
  readonly actions: readonly string[];
  readonly meaning: string;
  readonly remedy: string;
}

export interface EventGroup {
  /** The `reportingController` of the events. */
  readonly controller: string;
  readonly events: readonly EventNote[];
}

type Declared = Omit<EventNote, 'reason' | 'actions'> & { readonly action: string };

const nodeNotes: Readonly<Record<NodeEventReason, Declared>> = {
  Synced: { ...nodeEvents.Synced, remedy: 'Nothing.' },
  AddressesChanged: {
    ...nodeEvents.AddressesChanged,
    remedy:
      'Nothing, if the change was meant. Else look at the reason that the event gives: the cloud’s list of addresses changed, or the request did.',
  },
  NodeIPRequestsDiffer: {
    ...nodeEvents.NodeIPRequestsDiffer,
    remedy:
      'Remove the annotation `tandem.dev/node-ip`, or make it and kubelet’s `--node-ip` agree.',
  },
  Paused: {
    ...nodeEvents.Paused,
    remedy: 'Remove the annotation `tandem.dev/paused` when the node is to be managed again.',
  },
};

const lifecycleNotes: Readonly<Record<LifecycleEventReason, Declared>> = {
  DeletingNode: { ...lifecycleEvents.DeletingNode, remedy: 'Nothing.' },
  DeletingNodeFailed: {
    ...lifecycleEvents.DeletingNodeFailed,
    remedy:
      'Look at what the event says. Most often the permission to delete nodes is missing, or an admission webhook refuses it.',
  },
  DeletionHeld: {
    ...lifecycleEvents.DeletionHeld,
    remedy:
      'Find out whether the instances are really gone. If they are, lift the brake as the event says; if not, mend what makes the cloud say so.',
  },
  NodeShutdown: {
    ...lifecycleEvents.NodeShutdown,
    remedy:
      'Start the instance again if it is to be used; the taint goes when it runs. Delete it in the cloud if it is not.',
  },
};

export const eventGroups: readonly EventGroup[] = [
  {
    controller: nodeControllerName,
    events: [...declaredEvents(nodeNotes), ...refusalEvents()],
  },
  {
    controller: lifecycleControllerName,
    events: declaredEvents(lifecycleNotes),
  },
];

function declaredEvents(notes: Readonly<Record<string, Declared>>): EventNote[] {
  return Object.entries(notes).map(([reason, { action, ...note }]) => ({
    reason,
    actions: [action],
    ...note,
  }));
}

/** The code of a refusal is the reason of its event. Labels can only be refused by a write. */
function refusalEvents(): EventNote[] {
  const { uninitialised, initialised, labels } = refusalActions;
  return Object.entries({ ...requestRefusals, ...nodeRefusals }).map(([reason, refusal]) => ({
    reason,
    type: 'Warning',
    actions: [uninitialised, initialised, ...(reason === 'WriteRefused' ? [labels] : [])],
    ...refusal,
  }));
}
