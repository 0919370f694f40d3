/** Lets go of a block when it is not known whether its write was stored, as upstream does (I5). */
import { PodCIDRLedger } from '@tandem/core/allocation';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const releaseOnUnknown: Sabotage = {
  name: 'releases the blocks of a write whose outcome is unknown',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'doubt',
      () =>
        function doubt(this: PodCIDRLedger, uid: string): void {
          this.giveUp(uid);
        },
    ),
};
