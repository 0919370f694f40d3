/** Recognises a pod CIDR by the text that it would write itself (I1). */
import { PodCIDRLedger } from '@tandem/core/allocation';
import { formatCidr } from '@tandem/core/ip';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const textCompare: Sabotage = {
  name: 'compares pod CIDRs as text',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'show',
      (own) =>
        function show(this: PodCIDRLedger, holder, podCIDRs): ReturnType<typeof own> {
          const known = podCIDRs.filter(({ text, cidr }) => cidr && formatCidr(cidr) === text);
          return own.call(this, holder, known);
        },
    ),
};
