/** Declares the events of the node-route-controller. Users filter by reason, so the reasons never change. */
import { type EventTable, nodeEventsOf } from '../loop/index.ts';

/** Upstream's name of this controller. */
export const controllerName = 'node-route-controller';

export type RouteEventReason = 'FailedToCreateRoute' | 'RouteTableNearlyFull' | 'RouteTableFull';

export const routeEvents: EventTable<RouteEventReason> = {
  FailedToCreateRoute: {
    type: 'Warning',
    action: 'CreateRoute',
    meaning:
      'The cloud has no route to a pod CIDR of the node, and Tandem could not create it. The event has the words of the cloud, or what stands in the way.',
    remedy:
      'Read the event. Tandem tries again by itself, after a longer wait each time, until the route is there.',
  },
  RouteTableNearlyFull: {
    type: 'Warning',
    action: 'CheckRouteTable',
    meaning:
      'More than 80 % of the routes that a table takes are used. The event is on the newest node that needs routes, once for each table, and is renewed for as long as it holds.',
    remedy: 'Raise the quota of the table, or delete routes that are not needed.',
  },
  RouteTableFull: {
    type: 'Warning',
    action: 'CheckRouteTable',
    meaning:
      'A table has no room for the routes of some nodes. The event names these nodes. It is on the newest node that needs routes, once for each table, and is renewed for as long as it holds. Each node that waits has FailedToCreateRoute as well.',
    remedy:
      'Raise the quota of the table, or delete routes that are not needed. Tandem creates the missing routes as soon as there is room.',
  },
};

export const routeEvent: ReturnType<typeof nodeEventsOf<RouteEventReason>> = nodeEventsOf(
  controllerName,
  routeEvents,
);
