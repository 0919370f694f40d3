export { drawAddresses, drawOperatorRequest, vips } from './draw-machines.ts';
export { drawPlan } from './draw-plan.ts';
export type { Happening, Kill, Outage, PlannedMachine, WorldPlan } from './plan.ts';
