/**
 * Declares claims as tests of a server in real time. Claims that need several seconds start together, before all
 * others: they use nodes of their own, or versions that no object has.
 */
import assert from 'node:assert/strict';
import type { Claim, Session } from '../api-claims/index.ts';
import { testsAtOnce } from '../control-plane/index.ts';

const slow: readonly string[] = [
  'a bookmark tells the version shortly before a watch ends',
  'a streaming list from a version of the future fails in the stream after three seconds',
  'a version of the future is answered with 504 and ResourceVersionTooLarge',
  'a watch ends by itself after its timeout, without an error',
  'a watch from a version of the future is answered with silence',
];

/** For the body of a `describe`; the session is there when the tests run. */
export function declareClaims(claims: readonly Claim[], session: () => Session): void {
  const waiting = claims.filter(({ name }) => slow.includes(name));
  assert.equal(waiting.length, slow.length, 'a claim that waits has another name by now');
  const test = testsAtOnce(waiting.length);
  for (const { name, run } of waiting) test(name, () => run(session()));
  for (const { name, run } of claims) if (!slow.includes(name)) it(name, () => run(session()));
}
