/** The events of the node-route-controller, declared once. Reasons are what people filter by and never change. */

/** As upstream calls it. */
export const controllerName = 'node-route-controller';

export type RouteEventReason = 'FailedToCreateRoute';

export interface RouteEvent {
  readonly type: 'Normal' | 'Warning';
  readonly action: string;
  readonly meaning: string;
  /** What an operator can do about it. */
  readonly remedy: string;
}

export const routeEvents: Readonly<Record<RouteEventReason, RouteEvent>> = {
  FailedToCreateRoute: {
    type: 'Warning',
    action: 'CreateRoute',
    meaning:
      'The cloud has no route to a pod CIDR of the node, and Tandem could not create it. The event has the words of the cloud, or what stands in the way.',
    remedy:
      'Read the event. Tandem tries again by itself, after a longer wait each time, until the route is there.',
  },
};
