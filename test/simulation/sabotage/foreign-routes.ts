/** Takes every route within its ranges for its own (T3). */
import type { Sabotage } from '../world/index.ts';
import { changedLists } from './wrap-routes.ts';

export const foreignRoutes: Sabotage = {
  name: 'deletes and replaces routes of other owners',
  replace: () => changedLists((route) => ({ ...route, ours: true })),
};
