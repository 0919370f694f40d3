export {
  type CloudView,
  type NodeStateName,
  nodeStateNames,
  type NodeView,
  type PlannedView,
  type ReportView,
} from './node-view.ts';
export {
  isViewPage,
  type View,
  viewAPIVersion,
  type ViewEntry,
  viewFilters,
  viewKinds,
  type ViewName,
  viewNames,
  type Views,
  viewStates,
} from './page.ts';
export { planFromView } from './plan-from-view.ts';
export type { HolderView, PoolsSummary, PoolView } from './pool-view.ts';
export type { RoutesSummary, RouteView, TargetView } from './route-view.ts';
export { type PlanSettings, readNetworks, readSettings, showSettings } from './settings-view.ts';
