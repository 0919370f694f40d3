/** Takes the pod CIDRs of a node into account when its turn comes, and hands out blocks before that (I8). */
import { NodeIpamController } from '@tandem/controllers/node-ipam';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const nodesInTurn: Sabotage = {
  name: 'allocates before it has taken in every node',
  replace: () => replaceMethod(NodeIpamController.prototype, 'added', () => () => undefined),
};
