export {
  aConfiguration,
  aMachine,
  anInstance,
  anInterface,
  aRoute,
  aScaleSet,
  aTable,
} from './builders.ts';
export {
  subscription,
  withInstance,
  withMachine,
  withoutInstance,
  withoutMachine,
  withoutResourceGroup,
  withoutScaleSet,
  withScaleSet,
  withTable,
} from './changes.ts';
export { ArmError } from './error.ts';
export { FakeArm } from './fake-arm.ts';
export { FakeAzure } from './fake-azure.ts';
export { type Fault, throttled } from './faults.ts';
export { keyOf, instanceIdOf, machineId, scaleSetId, tableId } from './ids.ts';
export type {
  ArmState,
  FakeInstance,
  FakeInterface,
  FakeMachine,
  FakeRoute,
  FakeScaleSet,
  FakeTable,
  PowerState,
} from './state.ts';
