/** Does not notice that a node that goes leaves blocks to those who wait (I9). */
import { PodCIDRLedger } from '@tandem/core/allocation';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const deafToSpace: Sabotage = {
  name: 'lets nodes wait although blocks became free',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'drop',
      (own) =>
        function drop(this: PodCIDRLedger, uid: string): ReturnType<typeof own> {
          return { ...own.call(this, uid), freed: 0 };
        },
    ),
};
