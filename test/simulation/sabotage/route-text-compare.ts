/** Takes a route whose destination is spelt in another way for one that no node needs (T2). */
import { formatCidr } from '@tandem/core/ip';
import type { Sabotage } from '../world/index.ts';
import { changedLists } from './wrap-routes.ts';

export const routeTextCompare: Sabotage = {
  name: 'compares the destinations of routes as text',
  replace: () =>
    changedLists((route) => {
      const { destination, text } = route;
      if (destination === undefined || formatCidr(destination) === text) return route;
      const other = { ...destination, prefixLength: destination.prefixLength + 1 };
      return { ...route, destination: other, target: { kind: 'other' } };
    }),
};
