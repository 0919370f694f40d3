/** Gives routes to a Node although another Node holds its machine (P2). */
import { RoutedNodes } from '@tandem/controllers/route';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const twinRoutes: Sabotage = {
  name: 'gives routes to a Node whose machine another Node holds',
  replace: () =>
    replaceMethod(
      RoutedNodes.prototype,
      'read',
      (own) =>
        async function (this: RoutedNodes) {
          return (await own.call(this)).map((node) => ({ ...node, holder: undefined }));
        },
    ),
};
