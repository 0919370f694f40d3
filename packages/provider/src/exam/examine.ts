/**
 * The exam: one suite of claims that every provider must pass, ours and third-party ones. It
 * depends on no test runner. With mocha:
 *
 *     describe('acme', () => {
 *       for (const { name, run } of examine(openLab)) it(name, run);
 *     });
 */
import { accessClaims } from './access-claims.ts';
import { ageClaims } from './age-claims.ts';
import { answerClaims } from './answer-claims.ts';
import type { Claim } from './claim.ts';
import { identityClaims } from './identity-claims.ts';
import type { Lab } from './lab.ts';
import { noticeClaims } from './notice-claims.ts';
import { routeClaims } from './route-claims.ts';
import { routeGateClaims } from './route-gate-claims.ts';
import { troubleClaims } from './trouble-claims.ts';

export const claims: readonly Claim[] = [
  ...identityClaims,
  ...answerClaims,
  ...ageClaims,
  ...troubleClaims,
  ...noticeClaims,
  ...accessClaims,
  ...routeClaims,
  ...routeGateClaims,
];

export interface ExamCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Calls `openLab` once for each claim, so that no claim depends on another. */
export function examine(openLab: () => Promise<Lab>): readonly ExamCase[] {
  return claims.map(({ name, check }) => ({
    name,
    async run() {
      const lab = await openLab();
      try {
        await check(lab);
      } finally {
        await lab.close();
      }
    },
  }));
}
