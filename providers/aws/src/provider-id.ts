/**
 * How nodes name instances. `aws:///eu-west-1a/i-…`, `aws:////i-…` and `i-…` are one instance: its id is the
 * key. What is written is spelt as upstream's manager spells it, because Karpenter compares it as text.
 */
const idPattern = 'i-(?:[0-9a-f]{17}|[0-9a-f]{8})';

const providerIDPattern = new RegExp(`^(?:aws:///(?:(?<zone>[^/]*)/)?)?(?<id>${idPattern})$`);

/** Names of nodes in VPCs whose host names are made of the instance id. */
const namePattern = new RegExp(`^(?<id>${idPattern})(?:\\.|$)`);

/** Undefined where it is not this cloud's. Fargate's `aws:///zone/fargate-…` are no instances. */
export function instanceIdOf(providerID: string): string | undefined {
  return providerIDPattern.exec(providerID)?.groups?.['id'];
}

/** Empty where the providerID does not say. */
export function zoneOf(providerID: string): string {
  return providerIDPattern.exec(providerID)?.groups?.['zone'] ?? '';
}

export function instanceIdOfName(nodeName: string): string | undefined {
  return namePattern.exec(nodeName)?.groups?.['id'];
}

export function providerIDOf(zone: string, instanceId: string): string {
  return `aws:///${zone}/${instanceId}`;
}
