export { type CloudStack, furtherMachine } from './further-machines.ts';
export { kepMachines } from './kep-machines.ts';
export {
  type Expected,
  type ExpectedPodCIDRs,
  type Machine,
  routedLabels,
  withRoutes,
} from './machine.ts';
export { oddMachines } from './odd-machines.ts';
