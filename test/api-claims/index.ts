/** All claims about the API. */
import { discovering } from './discovering.ts';
import type { Claim } from './session.ts';
import { creating } from './creating.ts';
import { deleting } from './deleting.ts';
import { listing } from './listing.ts';
import { patching } from './patching.ts';
import { readingBodies } from './reading-bodies.ts';
import { reportingEvents } from './reporting-events.ts';
import { updating } from './updating.ts';
import { validating } from './validating.ts';
import { watching } from './watching.ts';

export { compacting } from './compacting.ts';
export { comparable, RandomWrites } from './random-writes.ts';
export { type Claim, Session } from './session.ts';

/** Those that leave the server as it is for others. */
export const claims: readonly Claim[] = [
  ...creating,
  ...updating,
  ...patching,
  ...deleting,
  ...listing,
  ...watching,
  ...reportingEvents,
  ...discovering,
  ...validating,
  ...readingBodies,
];
