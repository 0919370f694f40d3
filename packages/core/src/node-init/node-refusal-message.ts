/**
 * The messages of refused nodes. One printable line that repeats at most 128 characters of a
 * providerID, 80 of the name of another Node and 256 of the cause of a failure. A longer
 * providerID, such as those of Azure, loses its middle.
 */
import { quote, quoteIdentifier } from '../node-address/index.ts';
import type { Claimant, LostClaim } from './claim.ts';
import type { NodeRefusal } from './node-refusal.ts';
import { isInitialised, type NodeFacts } from './node.ts';

export function foreignProviderID(node: NodeFacts): NodeRefusal {
  return {
    code: 'ForeignProviderID',
    message: `The providerID ${quoteIdentifier(node.providerID, identifierMax)} does not belong to this cloud, so this manager ignores the node. Leave it to the manager of its cloud, or delete the Node and register it with the right providerID.`,
  };
}

export function providerIDConflict(
  providerID: string,
  { holder, because }: LostClaim,
): NodeRefusal {
  const instance =
    providerID === '' ? 'This instance' : `Instance ${quoteIdentifier(providerID, identifierMax)}`;
  return {
    code: 'ProviderIDConflict',
    message: `${instance} already belongs to Node ${quote(holder.name, nameMax)}, which ${because}. Delete the Node that does not belong to the instance. This node stays unchanged until then.`,
  };
}

/** The message for the Node that holds the instance if another Node is initialised as well. */
export function sharedInstance(providerID: string, other: Claimant): string {
  const instance =
    providerID === ''
      ? 'the same instance'
      : `instance ${quoteIdentifier(providerID, identifierMax)}`;
  return `Node ${quote(other.name, nameMax)} is initialised as ${instance}, too. Delete the Node that does not belong to the instance. This node stays managed, the other one stays unchanged until then.`;
}

export function instanceNotFound(node: NodeFacts): NodeRefusal {
  const [called, advice] =
    node.providerID === ''
      ? [`named ${quote(node.name, identifierMax)}`, 'Add the instance under this name, rename it,']
      : [
          `with the providerID ${quoteIdentifier(node.providerID, identifierMax)}`,
          'Restore the instance',
        ];
  return {
    code: 'InstanceNotFound',
    message: `The cloud has no instance ${called}. ${advice} or delete the Node. ${whatBecomesOf(node)}`,
  };
}

export function instanceLookupFailed(node: NodeFacts, reason: string): NodeRefusal {
  return {
    code: 'InstanceLookupFailed',
    message: `The cloud lookup for this node failed (${quote(reason, causeMax)}). The manager retries it. ${whatBecomesOf(node)}`,
  };
}

/** The message if the provider found the instance, but gave no usable providerID. */
export function unusableProviderID(node: NodeFacts, providerID: string): NodeRefusal {
  const given =
    providerID === ''
      ? 'gave it no providerID'
      : `gave it the providerID ${quoteIdentifier(providerID, identifierMax)}, which does not belong to this cloud`;
  return {
    code: 'InstanceLookupFailed',
    message: `The cloud provider found an instance for this node but ${given}. Correct the provider. ${whatBecomesOf(node)}`,
  };
}

export function whatBecomesOf(node: Pick<NodeFacts, 'taints'>): string {
  return isInitialised(node)
    ? 'The node keeps its addresses.'
    : 'The node stays tainted until then.';
}

/** The maximum length of a providerID or node name. */
const identifierMax = 128;
/**
 * The maximum length of the cause of a failure. It is long because the reader has no other
 * information.
 */
const causeMax = 256;
const nameMax = 80;
