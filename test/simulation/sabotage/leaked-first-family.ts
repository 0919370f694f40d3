/** Keeps the block of the first family where the second one has none left, as upstream does (I4). */
import { PodCIDRLedger } from '@tandem/core/allocation';
import { CidrSet } from '@tandem/core/cidr-set';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const leakedFirstFamily: Sabotage = {
  name: 'leaks the block of the first family when the second one is exhausted',
  replace() {
    let isReserving = false;
    const restoreReserve = replaceMethod(
      PodCIDRLedger.prototype,
      'reserve',
      (own) =>
        function reserve(this: PodCIDRLedger, ...args): ReturnType<typeof own> {
          isReserving = true;
          const reserved = own.apply(this, args);
          isReserving = false;
          return reserved;
        },
    );
    const restoreRelease = replaceMethod(
      CidrSet.prototype,
      'release',
      (own) =>
        function release(this: CidrSet, ...args): number {
          return isReserving ? 0 : own.apply(this, args);
        },
    );
    return () => {
      restoreReserve();
      restoreRelease();
    };
  },
};
