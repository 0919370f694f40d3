/**
 * The pages `/statusz/nodes`, `/statusz/pools` and `/statusz/routes` as data. The manager writes
 * these pages and the kubectl plugin reads them, so both use these types. A page is a list in the
 * format of Kubernetes, with a summary about all items.
 */
import { type NodesSummary, nodeStateNames, type NodeView } from './node-view.ts';
import { holderStates, type HolderView, type PoolsSummary } from './pool-view.ts';
import { type RoutesSummary, routeStateNames, type RouteView } from './route-view.ts';

export const viewAPIVersion = 'tandem.dev/v1alpha1';

/** The last part of a page's path, and the `kind` of the page. */
export const viewKinds = {
  nodes: 'NodeViewList',
  pools: 'PoolViewList',
  routes: 'RouteViewList',
} as const;

export type ViewName = keyof typeof viewKinds;

export const viewNames: readonly ViewName[] = ['nodes', 'pools', 'routes'];

/** The fields of its items that a view can be filtered by. */
export const viewFilters: Readonly<Record<ViewName, readonly string[]>> = {
  nodes: ['name', 'state'],
  pools: ['name', 'pool', 'state'],
  routes: ['table', 'node', 'state'],
};

/** The states that items of a view can be in. */
export const viewStates: Readonly<Record<ViewName, readonly string[]>> = {
  nodes: nodeStateNames,
  pools: holderStates,
  routes: routeStateNames,
};

export interface Views {
  readonly nodes: { readonly summary: NodesSummary; readonly item: NodeView };
  readonly pools: { readonly summary: PoolsSummary; readonly item: HolderView };
  readonly routes: { readonly summary: RoutesSummary; readonly item: RouteView };
}

export interface ViewPage<Name extends ViewName> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    /** Passed back as `continue` for the next page; left out on the last one. */
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly summary: Views[Name]['summary'];
  readonly items: readonly Views[Name]['item'][];
}

/** The view of a controller. Items are made only when a page needs them. */
export interface View<Name extends ViewName> {
  readonly summary: Views[Name]['summary'];
  /** In any order. Pages sort them by key. */
  readonly entries: readonly ViewEntry<Views[Name]['item']>[];
}

export interface ViewEntry<Item> {
  /** Unique, and constant as long as the item exists. */
  readonly key: string;
  readonly item: () => Item;
}

/**
 * Whether a value from a manager is such a page. Pages of one version have one format, so this
 * checks only the fields that identify the page, and that every item is an object.
 */
export function isViewPage<Name extends ViewName>(
  name: Name,
  value: unknown,
): value is ViewPage<Name> {
  if (!isObject(value)) return false;
  const { apiVersion, kind, metadata, summary, items } = value;
  if (apiVersion !== viewAPIVersion || kind !== viewKinds[name]) return false;
  return isObject(metadata) && isObject(summary) && Array.isArray(items) && items.every(isObject);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
