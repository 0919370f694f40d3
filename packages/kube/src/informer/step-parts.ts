/** What the steps of an informer use, and what they return. */
import type { Clock, Random } from '@tandem/runtime';
import type { KubeClient, Resource } from '../client/index.ts';
import { type Encoding, isOlder, type ObjectFacts, type ObjectReader } from '../codec/index.ts';
import type { InformerLimits } from './limits.ts';
import type { Listing, Mirror } from './mirror.ts';
import type { Ending } from './step.ts';
import type { Telemetry } from './telemetry.ts';

export interface StepParts<T extends ObjectFacts> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly resource: Resource;
  readonly selectors: Readonly<Record<string, string>>;
  readonly reader: ObjectReader<T>;
  readonly encoding: Encoding;
  readonly limits: InformerLimits;
  readonly mirror: Mirror<T>;
  readonly telemetry: Telemetry;
}

export interface Outcome {
  readonly ending: Ending;
  /** Whether the step delivered a whole list, or began with one. */
  readonly isComplete: boolean;
  /** The cause, for the log and for `Retry-After`. */
  readonly err?: unknown;
}

/** Takes a whole list, however it came, into the mirror, and reports it. */
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
