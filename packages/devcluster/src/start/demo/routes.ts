/** The route tables of the simulated cloud, counted. */
import type { SimulatedCloud } from '@tandem/provider-simulated';

/** The number of routes to nodes in one table. */
export interface RouteCount {
  readonly table: string;
  readonly IPv4: number;
  readonly IPv6: number;
}

export function countRoutes({ routes }: Pick<SimulatedCloud, 'routes'>): readonly RouteCount[] {
  return (routes?.tables ?? []).map((table) => {
    const own = (routes?.routesOf(table) ?? []).filter(({ ours }) => ours);
    const IPv6 = own.filter(({ destination }) => destination.includes(':')).length;
    return { table, IPv4: own.length - IPv6, IPv6 };
  });
}
