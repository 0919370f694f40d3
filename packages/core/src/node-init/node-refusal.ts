/**
 * Every reason for which a node itself is refused, whatever it asks for, declared once: the code
 * (which is also the event reason and the metric label, and therefore never renamed), what it means
 * and what to do about it. The order is the order of judgement.
 */
export const nodeRefusals = {
  ForeignProviderID: {
    meaning:
      'The node has a providerID that is not of this cloud, so it is somebody else’s to manage.',
    remedy:
      'Leave it to the manager of its cloud. If it is of this cloud after all, correct the providerID: delete the Node and let kubelet register it anew.',
  },
  ProviderIDConflict: {
    meaning:
      'Another Node holds the same instance: one that is initialised, or else the older one, or of the same age the one with the lower UID.',
    remedy:
      'Delete the Node that does not belong to the instance. The one that is left is managed at once.',
  },
  InstanceNotFound: {
    meaning: 'The cloud says that there is no such instance.',
    remedy:
      'Check that the node’s name, or its providerID where it has one, is what the cloud calls the instance; delete the Node if the instance is gone.',
  },
  InstanceLookupFailed: {
    meaning:
      'The cloud could not be asked, or its answer could not be used. Nothing is taken from the node because of it.',
    remedy:
      'Look at what went wrong: credentials, permissions, rate limits, the network. The cloud is asked again without your doing.',
  },
  WriteRefused: {
    meaning:
      'The API server, or an admission webhook, refuses what is to be stored for the node: most often a label whose value Kubernetes does not allow.',
    remedy:
      'Correct what the event names: the label in the cloud, or the webhook. The write is tried again at least once a minute.',
  },
} as const;

export type NodeRefusalCode = keyof typeof nodeRefusals;

export interface NodeRefusal {
  readonly code: NodeRefusalCode;
  /** What is wrong, what became of the node and what to do, in one bounded line. */
  readonly message: string;
}
