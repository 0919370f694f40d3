/**
 * The state of a wanted destination in one table. A foreign route that leads to the node and
 * forwards counts as present, because only the path of the traffic matters.
 */
import { isSameAddress } from '../ip/index.ts';
import { byId, type ListedRoute, type ListedTarget, mayChange } from './listing.ts';
import type { WantedRoute } from './need.ts';

export type DestinationState =
  /** `superfluous` are further routes to the destination that may be deleted. */
  | { readonly kind: 'present'; readonly superfluous: readonly ListedRoute[] }
  /** `route` has to be replaced. */
  | { readonly kind: 'wrong'; readonly route: ListedRoute; readonly flaw: string }
  | { readonly kind: 'missing' }
  /** All live routes to the destination are foreign, and none of them leads to the node. */
  | { readonly kind: 'taken' }
  /** The cloud does not say where a route to the destination leads. */
  | { readonly kind: 'unknown'; readonly why: string };

type WantedEnd = Pick<WantedRoute, 'key' | 'nextHop'>;

/** Takes all routes of the table to the destination. */
export function stateOf(routes: readonly ListedRoute[], end: WantedEnd): DestinationState {
  const [only] = routes;
  if (only === undefined) return missing;
  if (routes.length === 1 && findFlaw(only.target, end) === undefined) return presentAlone;
  const own = byId(routes.filter(mayChange));
  const right = own.find(({ target }) => findFlaw(target, end) === undefined);
  if (right !== undefined) {
    return { kind: 'present', superfluous: own.filter((route) => route !== right) };
  }
  const wrong = findRepairable(own, end);
  const hasOthers = own.length < routes.length;
  if (wrong !== undefined && (wrong.route.ours || !hasOthers)) return { kind: 'wrong', ...wrong };
  const isServed = routes.some(({ target }) => findFlaw(target, end) === undefined);
  if (isServed) return { kind: 'present', superfluous: own };
  const why = whyUnknown(routes);
  return why === undefined ? { kind: 'taken' } : { kind: 'unknown', why };
}

/** Does not depend on the order in which the cloud lists unknown routes. */
function whyUnknown(routes: readonly ListedRoute[]): string | undefined {
  const [first] = byId(routes).flatMap(({ target }) => (target.kind === 'unknown' ? [target] : []));
  return first?.why;
}

const missing: DestinationState = { kind: 'missing' };
const presentAlone: DestinationState = { kind: 'present', superfluous: [] };

/** Whether the route sends traffic to the node, or would once the instance forwards. */
export function leadsTo({ target }: ListedRoute, end: WantedEnd): boolean {
  const flaw = findFlaw(target, end);
  return flaw === undefined || flaw === notReady;
}

const notReady =
  'leads to the instance of the node, whose next hop is outdated or does not forward yet';
const elsewhere = 'does not lead to the node';
const dead = 'is dead because its target is gone';
const unread = 'leads to a target that the cloud does not name';

type Flaw = typeof notReady | typeof elsewhere | typeof dead | typeof unread;

/** Returns the fault of a route to the node with this target, if any. */
function findFlaw(target: ListedTarget, { key, nextHop }: WantedEnd): Flaw | undefined {
  switch (target.kind) {
    case 'instance':
      if (target.key !== key) return elsewhere;
      return target.ready ? undefined : notReady;
    case 'address':
      return isSameAddress(target.address, nextHop) ? undefined : elsewhere;
    case 'blackhole':
      return dead;
    case 'other':
      return elsewhere;
    case 'unknown':
      return unread;
  }
}

/** Returns the route that is nearest to correct. */
function findRepairable(
  own: readonly ListedRoute[],
  end: WantedEnd,
): { readonly route: ListedRoute; readonly flaw: Flaw } | undefined {
  const flawed = own.flatMap((route) => {
    const flaw = findFlaw(route.target, end);
    return flaw === undefined ? [] : [{ route, flaw }];
  });
  const isOurs = ({ route }: { readonly route: ListedRoute }): boolean => route.ours;
  return flawed.find(({ flaw }) => flaw === notReady) ?? flawed.find(isOurs) ?? flawed[0];
}
