/**
 * The reasons to refuse a node itself, whatever it requests, declared once: the code (which is also
 * the event reason and the metric label, and therefore never renamed), its meaning and its remedy.
 * A node has only the first code in this order that applies.
 */
export const nodeRefusals = {
  ForeignProviderID: {
    meaning:
      'The node’s providerID does not belong to this cloud, so another manager is responsible for the node.',
    remedy:
      'Leave the node to the manager of its cloud. If the node belongs to this cloud, its providerID is wrong: delete the Node and let the kubelet register it again with the right one.',
  },
  ProviderIDConflict: {
    meaning:
      'The instance already belongs to another Node. An initialised Node comes before others, then the older Node, then the Node with the lower UID. If both Nodes are initialised, the one that holds the instance stays managed and has this event, too.',
    remedy:
      'Delete the Node that does not belong to the instance. The manager then initialises the other Node at once.',
  },
  InstanceNotFound: {
    meaning: 'The cloud reports that the instance does not exist.',
    remedy:
      'Check that the name of the node, or its providerID if it has one, matches the instance in the cloud. Delete the Node if the instance no longer exists.',
  },
  InstanceLookupFailed: {
    meaning:
      'The lookup in the cloud failed, or the manager could not use the answer. The node keeps what it has.',
    remedy:
      'Check what the event names: credentials, permissions, rate limits, the network. The manager retries by itself.',
  },
  WriteRefused: {
    meaning:
      'The API server or an admission webhook refuses a write to the node. The most common cause is a label whose value Kubernetes does not allow. A dry run does not foresee this refusal, because it sends no write.',
    remedy:
      'Correct what the event names: the label in the cloud, or the webhook. The manager retries the write at least once a minute.',
  },
} as const;

export type NodeRefusalCode = keyof typeof nodeRefusals;

export interface NodeRefusal {
  readonly code: NodeRefusalCode;
  /** What is wrong, what to do and the consequence for the node, in one bounded line. */
  readonly message: string;
}
