/**
 * The exam: one suite of claims that every provider passes, ours and other people's. It knows no test
 * runner; with mocha it is
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

/** `openLab` is called once for each claim, so that none depends on another. */
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
