/** The routes to nodes: a line for each table, or a number where there is no room. */
import type { RouteCount } from '../demo/index.ts';

/** `Routes in table main: 9 IPv4, 9 IPv6` */
export function routeTexts(routes: readonly RouteCount[]): readonly string[] {
  return routes.map(
    ({ table, IPv4, IPv6 }) => `Routes in table ${table}: ${IPv4} IPv4, ${IPv6} IPv6`,
  );
}

/** `18 routes`, in all tables. */
export function routeSummary(routes: readonly RouteCount[]): string {
  const total = routes.reduce((sum, { IPv4, IPv6 }) => sum + IPv4 + IPv6, 0);
  return total === 1 ? '1 route' : `${total} routes`;
}
