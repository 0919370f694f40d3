/** How many worlds a run has: what fits into its time, or what somebody asks for. */

/** Of 20 nodes each, in `npm test`: a little under two minutes on two cores. */
export const worldsDefault = 10_000;

export function readWorlds(asked: string | undefined): number {
  if (asked === undefined || asked === '') return worldsDefault;
  const count = Number(asked);
  // Two files share them out, and each needs at least one.
  if (Number.isSafeInteger(count) && count >= 2) return count;
  throw new Error(`TANDEM_WORLDS must be a whole number from 2 on, such as 500, not "${asked}"`);
}
