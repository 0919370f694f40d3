export { anInstance, anInterface, aTable } from './builders.ts';
export { EC2Error } from './error.ts';
export { FakeEC2, type Fault, throttled } from './fake-ec2.ts';
export { FakeMetadata } from './fake-metadata.ts';
export { FakeSTS } from './fake-sts.ts';
export { RefusingProxy } from './refusing-proxy.ts';
export {
  type EC2State,
  type FakeInstance,
  type FakeInterface,
  type FakeRoute,
  withInstance,
  withTable,
} from './state.ts';
