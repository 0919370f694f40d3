/** All claims about the API. */
import { asking } from './asking.ts';
import type { Claim } from './claim.ts';
import { creating } from './creating.ts';
import { deleting } from './deleting.ts';
import { listing } from './listing.ts';
import { patching } from './patching.ts';
import { readingBodies } from './reading-bodies.ts';
import { telling } from './telling.ts';
import { updating } from './updating.ts';
import { validating } from './validating.ts';
import { watching } from './watching.ts';

export type { Claim } from './claim.ts';
export { forgetting } from './forgetting.ts';
export { comparable, RandomWrites } from './random-writes.ts';
export { Session } from './session.ts';

/** Those that leave the server as it is for others. */
export const claims: readonly Claim[] = [
  ...creating,
  ...updating,
  ...patching,
  ...deleting,
  ...listing,
  ...watching,
  ...telling,
  ...asking,
  ...validating,
  ...readingBodies,
];
