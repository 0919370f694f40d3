/** Takes a whole list, however it came, into the mirror, and lets people see that it was. */
import type { ObjectFacts } from '../codec/index.ts';
import type { Listing } from './mirror.ts';
import { isOlder } from '../codec/object-reader.ts';
import type { StepParts } from './step-parts.ts';

export function keepList<T extends ObjectFacts>(
  { mirror, telemetry }: Pick<StepParts<T>, 'mirror' | 'telemetry'>,
  listing: Listing<T>,
): 'kept' | 'stale' {
  const from = mirror.version;
  if (mirror.replace(listing) === 'refused as stale') return 'stale';
  const to = listing.resourceVersion;
  if (from !== undefined && isOlder(to, from)) telemetry.wentBack({ from, to });
  telemetry.sawList();
  return 'kept';
}
