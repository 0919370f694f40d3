/** Declares every breach that `audit` can find, with the broken promise and the remedy. */
export type BreachName =
  | 'TaintGoneWithoutAddresses'
  | 'TaintGoneWithoutProviderID'
  | 'ProviderIDTwice'
  | 'AddressNotInCloud'
  | 'ExcludedAddress'
  | 'DuplicatePodCIDR'
  | 'PodCIDROutsidePools'
  | 'PodCIDRFamilyMissing'
  | 'RouteToNobody'
  | 'NetworkWithoutRoute'
  | 'RefusalNotSeen'
  | 'WaitingWithoutReason';

export const breaches: Readonly<
  Record<BreachName, { readonly promise: string; readonly remedy: string }>
> = {
  TaintGoneWithoutAddresses: {
    promise: 'P1',
    remedy: 'Delete the Node and let its kubelet register it again.',
  },
  TaintGoneWithoutProviderID: {
    promise: 'P1',
    remedy:
      'Check that its kubelet runs with --cloud-provider=external, then delete the Node and let the kubelet register it again.',
  },
  ProviderIDTwice: {
    promise: 'P2',
    remedy: 'Delete the Node that does not belong to the instance.',
  },
  AddressNotInCloud: {
    promise: 'P2',
    remedy:
      'Check what wrote the address. The manager replaces it unless the request of the node is refused.',
  },
  ExcludedAddress: {
    promise: 'P2',
    remedy: 'Check what wrote the address, and that the manager runs with this configuration.',
  },
  DuplicatePodCIDR: {
    promise: 'P4',
    remedy: 'Delete all but one of these Nodes and let their kubelets register them again.',
  },
  PodCIDROutsidePools: {
    promise: 'P4',
    remedy:
      'Check --cluster-cidr and podCIDRPools; else delete the Node and let its kubelet register it again.',
  },
  PodCIDRFamilyMissing: {
    promise: 'P4',
    remedy: 'Delete the Node and let its kubelet register it again.',
  },
  RouteToNobody: {
    promise: 'T4',
    remedy: 'See in the log of the manager why it does not delete the route.',
  },
  NetworkWithoutRoute: {
    promise: 'T5',
    remedy: 'See the events of the node for why its route is not created.',
  },
  RefusalNotSeen: {
    promise: 'P6',
    remedy: 'Check that the manager may create events in the namespace default.',
  },
  WaitingWithoutReason: {
    promise: 'P6',
    remedy: 'Check that a manager leads, and that it may create events in the namespace default.',
  },
};

export interface Breach {
  readonly code: BreachName;
  readonly promise: string;
  /** The node or the route with the breach. */
  readonly object: string;
  readonly message: string;
  readonly remedy: string;
}

export function breach(code: BreachName, object: string, message: string): Breach {
  return { code, ...breaches[code], object, message };
}

/** For a message that says itself what to do, because the usual remedy would not help. */
export const asTheMessageSays = 'Do what the message says.';
