export {
  type CloudView,
  type InstanceView,
  type NodesSummary,
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
  type ViewPage,
  type Views,
  viewStates,
} from './page.ts';
export { planFromView } from './plan-from-view.ts';
export type { HolderState, HolderView, PoolsSummary, PoolView, RangeView } from './pool-view.ts';
export type {
  LackingView,
  RoutesSummary,
  RouteStateName,
  RouteView,
  TableView,
  TargetView,
} from './route-view.ts';
export {
  type ExclusionView,
  type PlanSettings,
  readNetworks,
  readSettings,
  type RouteRulesView,
  type SettingsView,
  showSettings,
} from './settings-view.ts';
