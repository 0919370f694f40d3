import { ownWritesAcrossTerms } from './001-own-writes-across-terms.ts';
import { guardFailedOnOwnWrite } from './002-guard-failed-on-own-write.ts';
import type { Regression } from './regression.ts';

export type { Regression };

export const regressions: readonly Regression[] = [ownWritesAcrossTerms, guardFailedOnOwnWrite];
