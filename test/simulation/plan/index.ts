export {
  type AllocationPlan,
  blockLengths,
  type PlannedPool,
  type PodFamily,
  poolLabel,
} from './allocation.ts';
export { drawAddresses, drawOperatorRequest, vips } from './draw-machines.ts';
export { drawPlan } from './draw-plan.ts';
export {
  type Happening,
  type Interruption,
  type Kill,
  originalsOf,
  type Outage,
  type PlannedMachine,
  unmanagedLabel,
  type WorldPlan,
} from './plan.ts';
export type { Disruption, LateWritePlan } from './replicas.ts';
export { type RoutePlan, routeLabel } from './routes.ts';
