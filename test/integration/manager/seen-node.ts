/** The fields of nodes and events on the API server that the scenarios read. */
import type { NodeAddress } from '@tandem/core/node-address';
import { networkUnavailableTaint, uninitializedTaint } from '@tandem/core/node-init';
import type { KubeObject } from './mirror.ts';

export interface SeenNode extends KubeObject {
  readonly metadata: KubeObject['metadata'] & {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly providerID?: string;
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
    readonly taints?: readonly { readonly key: string; readonly value?: string }[];
  };
  readonly status: {
    readonly addresses?: readonly NodeAddress[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
  };
}

export interface SeenEvent extends KubeObject {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly action: string;
  readonly reportingController: string;
  readonly regarding: { readonly name: string; readonly uid: string };
  readonly series?: { readonly count: number };
}

export function hasTaint({ spec }: SeenNode): boolean {
  return (spec.taints ?? []).some(({ key }) => key === uninitializedTaint);
}

/** `InternalIP 10.0.0.1`, in the node's order. */
export function addressesOf({ status }: SeenNode): string[] {
  return (status.addresses ?? []).map(({ type, address }) => `${type} ${address}`);
}

/** The texts of the InternalIPs and ExternalIPs, in the node's order. */
export function ipsOf({ status }: SeenNode): string[] {
  return (status.addresses ?? [])
    .filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP')
    .map(({ address }) => address);
}

/** Whether the node breaks P1: it lacks the taint, and also its addresses or its providerID. */
export function isUnsafe(node: SeenNode): boolean {
  return !hasTaint(node) && (ipsOf(node).length === 0 || (node.spec.providerID ?? '') === '');
}

/** `status reason` of NetworkUnavailable; empty without the condition. */
export function networkConditionOf({ status }: SeenNode): string {
  const found = status.conditions?.find(({ type }) => type === 'NetworkUnavailable');
  return found === undefined ? '' : `${found.status} ${found.reason}`;
}

/** Whether pods could be scheduled to the node before its routes existed. */
export function takesPodsTooEarly(node: SeenNode): boolean {
  if (hasTaint(node) || networkConditionOf(node) === 'False RouteCreated') return false;
  return !(node.spec.taints ?? []).some(({ key }) => key === networkUnavailableTaint.key);
}
