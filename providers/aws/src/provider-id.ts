/**
 * Reads and writes providerIDs. `aws:///eu-west-1a/i-…`, `aws:////i-…` and `i-…` name the same instance: the instance id
 * is the key. Tandem writes them exactly as upstream's manager does, because Karpenter compares them as text.
 */
const idPattern = 'i-(?:[0-9a-f]{17}|[0-9a-f]{8})';

const providerIDPattern = new RegExp(`^(?:aws:///(?:(?<zone>[^/]*)/)?)?(?<id>${idPattern})$`);

/** Matches node names in VPCs whose host names are made from the instance id. */
const namePattern = new RegExp(`^(?<id>${idPattern})(?:\\.|$)`);

/** Returns undefined for other clouds and for Fargate's `aws:///zone/fargate-…`, which are not instances. */
export function instanceIdOf(providerID: string): string | undefined {
  return providerIDPattern.exec(providerID)?.groups?.['id'];
}

/** Returns an empty text if the providerID has no zone. */
export function zoneOf(providerID: string): string {
  return providerIDPattern.exec(providerID)?.groups?.['zone'] ?? '';
}

/** Names of zones begin with that of their region. Other texts, such as a person's own label, name no region. */
const zonePattern = /^[a-z]{2,}(?:-[a-z]+)+-\d/;

export function isInOtherRegion(zone: string, region: string): boolean {
  return zonePattern.test(zone) && !zone.startsWith(region);
}

export function instanceIdOfName(nodeName: string): string | undefined {
  return namePattern.exec(nodeName)?.groups?.['id'];
}

export function providerIDOf(zone: string, instanceId: string): string {
  return `aws:///${zone}/${instanceId}`;
}
