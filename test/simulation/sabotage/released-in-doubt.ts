/** Gives its Lease back although a write may still be stored, so that the next leader does not wait for it (I8). */
import { NodeIpamController } from '@tandem/controllers/node-ipam';
import type { Sabotage } from '../world/index.ts';
import { replaceGetter } from './replace-member.ts';

export const releasedInDoubt: Sabotage = {
  name: 'releases its Lease with an allocation in doubt',
  replace: () => replaceGetter(NodeIpamController.prototype, 'hasWriteInDoubt', () => false),
};
