/**
 * Reads from the headers of an answer how many calls Azure still allows. A subscription has separate counts for reads
 * and writes; resource providers such as Compute have further counts with their own names.
 */

/** Below these counts the provider slows its calls down and leaves the rest to other clients of the subscription. */
const leastReads = 25;
const leastWrites = 10;
const leastOfResource = 10;

export interface Headers {
  get(name: string): string | undefined;
}

export function isRunningOut(headers: Headers, isWrite: boolean): boolean {
  const kind = isWrite ? 'writes' : 'reads';
  const ofSubscription = countOf(headers.get(`x-ms-ratelimit-remaining-subscription-${kind}`));
  const ofPrincipal = countOf(headers.get(`x-ms-ratelimit-remaining-subscription-global-${kind}`));
  const least = isWrite ? leastWrites : leastReads;
  if (ofSubscription < least || ofPrincipal < least) return true;
  // `Microsoft.Compute/GetVMScaleSet3Min;197,Microsoft.Compute/GetVMScaleSet30Min;1297`
  const counts = (headers.get('x-ms-ratelimit-remaining-resource') ?? '').split(',');
  return counts.some((count) => countOf(count.split(';')[1]) < leastOfResource);
}

/** Returns the count, or Infinity if Azure sent none. */
function countOf(text: string | undefined): number {
  return /^\s*\d+\s*$/.test(text ?? '') ? Number(text) : Infinity;
}
