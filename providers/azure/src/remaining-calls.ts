/**
 * How many calls Azure says are left, by the headers of its answers. Those of the subscription are counted
 * apart for reads and writes; providers such as Compute have further counts, with names of their own.
 */

/** Below these, calls are slowed: what is left is for everybody else in the subscription. */
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

/** Infinity where Azure does not say. */
function countOf(text: string | undefined): number {
  return /^\s*\d+\s*$/.test(text ?? '') ? Number(text) : Infinity;
}
