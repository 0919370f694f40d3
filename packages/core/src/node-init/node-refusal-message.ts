/**
 * What a refused node says to the person who reads the event. One line, safe to print, that repeats at
 * most 128 characters of what came in. The name of the other Node gets most of them: it is what the
 * reader has to type next.
 */
import { quote } from '../node-address/index.ts';
import type { LostClaim } from './claim.ts';
import type { NodeRefusal } from './node-refusal.ts';
import { isInitialised, type NodeFacts } from './node.ts';

export function foreignProviderID(node: NodeFacts): NodeRefusal {
  return {
    code: 'ForeignProviderID',
    message: `the providerID ${quote(node.providerID, soleEchoMax)} is not of this cloud, so the node is left alone: let the manager of its cloud see to it, or delete the Node and register it with the right providerID`,
  };
}

export function providerIDConflict(
  providerID: string,
  { holder, because }: LostClaim,
): NodeRefusal {
  const instance = providerID === '' ? 'this instance' : quote(providerID, besideNameMax);
  return {
    code: 'ProviderIDConflict',
    message: `${instance} is held by the Node ${quote(holder.name, nameMax)}, which ${because}: delete the Node that does not belong to the instance; this one is left as it is until then`,
  };
}

export function instanceNotFound(node: NodeFacts): NodeRefusal {
  const [called, advice] =
    node.providerID === ''
      ? [`named ${quote(node.name, soleEchoMax)}`, 'give it that name']
      : [`with the providerID ${quote(node.providerID, soleEchoMax)}`, 'bring it back'];
  return {
    code: 'InstanceNotFound',
    message: `the cloud has no instance ${called}: ${advice}, or delete the Node; ${whatBecomesOf(node)}`,
  };
}

export function instanceLookupFailed(node: NodeFacts, reason: string): NodeRefusal {
  return {
    code: 'InstanceLookupFailed',
    message: `the cloud could not be asked about this node (${quote(reason, soleEchoMax)}): it is asked again; ${whatBecomesOf(node)}`,
  };
}

/** The provider is wrong: it found the instance, but cannot say what it is called. */
export function unusableProviderID(node: NodeFacts, providerID: string): NodeRefusal {
  const given =
    providerID === ''
      ? 'gave no providerID'
      : `gave it the providerID ${quote(providerID, soleEchoMax)}, which is not of this cloud`;
  return {
    code: 'InstanceLookupFailed',
    message: `the cloud found an instance for this node but ${given}: correct the provider; ${whatBecomesOf(node)}`,
  };
}

export function whatBecomesOf(node: Pick<NodeFacts, 'taints'>): string {
  return isInitialised(node) ? 'the node keeps its addresses' : 'the node stays tainted until then';
}

/** Of the one thing that a message repeats. */
const soleEchoMax = 128;
const nameMax = 80;
const besideNameMax = 48;
