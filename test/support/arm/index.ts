export type { WriteMode } from './async-writes.ts';
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
  emptyState,
  subscription,
  withInstance,
  withMachine,
  withoutInstance,
  withoutMachine,
  withoutResourceGroup,
  withoutScaleSet,
  withoutTable,
  withResourceGroup,
  withScaleSet,
  withTable,
} from './changes.ts';
export type { FakeClient } from './client-proof.ts';
export { ArmError } from './error.ts';
export { FakeArm } from './fake-arm.ts';
export { FakeAzure } from './fake-azure.ts';
export { FakeEntra } from './fake-entra.ts';
export { FakeIdentityMetadata } from './fake-identity-metadata.ts';
export { type Fault, throttled } from './faults.ts';
export { keyOf, instanceIdOf, machineId, scaleSetId, tableId } from './ids.ts';
export type { ArmRequest } from './request.ts';
export type {
  ArmState,
  FakeConfiguration,
  FakeInstance,
  FakeInterface,
  FakeMachine,
  FakePublicAddress,
  FakeRoute,
  FakeScaleSet,
  FakeTable,
  PowerState,
  ProvisioningState,
} from './state.ts';
