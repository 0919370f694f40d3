/** Takes the deletion of a node for that of whoever has its name by then (I5). */
import { PodCIDRLedger } from '@tandem/core/allocation';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const releaseByName: Sabotage = {
  name: 'releases the blocks of a node that has the name of one that is gone',
  replace() {
    const gone = new Set<string>();
    const restoreDrop = replaceMethod(
      PodCIDRLedger.prototype,
      'drop',
      (own) =>
        function drop(this: PodCIDRLedger, uid: string): ReturnType<typeof own> {
          gone.add(this.nameOf(uid));
          return own.call(this, uid);
        },
    );
    const restoreReserve = replaceMethod(
      PodCIDRLedger.prototype,
      'reserve',
      (own) =>
        function reserve(this: PodCIDRLedger, holder, pool): ReturnType<typeof own> {
          const reserved = own.call(this, holder, pool);
          if (gone.delete(holder.name)) this.drop(holder.uid);
          return reserved;
        },
    );
    return () => {
      restoreDrop();
      restoreReserve();
    };
  },
};
