/** Turns an EC2 instance into the plug's instance. */
import type { InstanceStateName } from '@aws-sdk/client-ec2';
import type { Family } from '@tandem/core/ip';
import type { InstanceState, LookupAnswer } from '@tandem/provider/plug';
import { addressesOf, podBlocksOf } from './addresses.ts';
import { AWSError } from './failure.ts';
import { providerIDOf } from './provider-id.ts';
import type { Instance as EC2Instance } from './sdk/actions.ts';

export interface InstanceFacts {
  readonly families: readonly Family[];
  readonly region: string;
  /** Labels other than type, zone and region. */
  readonly labels: Readonly<Record<string, string>>;
  readonly asOfMs: number;
}

/** EC2 lists a terminated instance for about an hour. */
const states: Readonly<Record<InstanceStateName, InstanceState | 'absent'>> = {
  pending: 'pending',
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopped',
  'shutting-down': 'terminating',
  terminated: 'absent',
};

export function isTerminated({ State }: EC2Instance): boolean {
  return State?.Name === 'terminated';
}

export function answerOf(
  instance: EC2Instance,
  { families, region, labels, asOfMs }: InstanceFacts,
): LookupAnswer {
  const { InstanceId, InstanceType, Placement, State } = instance;
  const zone = Placement?.AvailabilityZone;
  const state = State?.Name && states[State.Name];
  if (!InstanceId || !zone || !state) {
    const message = `EC2 described ${InstanceId ?? 'an instance'} without an id, zone or known state`;
    return { kind: 'unknown', err: new AWSError('AWSInstanceUnreadable', message) };
  }
  if (state === 'absent') return { kind: 'absent', asOfMs };
  return {
    kind: 'found',
    asOfMs,
    instance: {
      providerID: providerIDOf(zone, InstanceId),
      addresses: addressesOf(instance, families),
      ...(InstanceType && { instanceType: InstanceType }),
      zone,
      region,
      state,
      labels,
      podBlocks: podBlocksOf(instance),
    },
  };
}
