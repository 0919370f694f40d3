/** Gives a block to another node while routes still lead to the machine of its last one (I7). */
import { PodCIDRLedger } from '@tandem/core/allocation';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const routedBlocks: Sabotage = {
  name: 'hands out a block before its route is gone',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'depart',
      () =>
        function depart(this: PodCIDRLedger, uid: string): ReturnType<PodCIDRLedger['depart']> {
          return { ...this.drop(uid), held: [] };
        },
    ),
};
