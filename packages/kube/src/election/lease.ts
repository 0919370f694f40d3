/**
 * The Lease as electors read and write it, in client-go's terms. All other fields of the object
 * (`strategy`, `preferredHolder`, labels, annotations, future fields) are sent back unchanged.
 */
import { isRecord } from '@tandem/runtime';
import { microTime } from '../micro-time.ts';

export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

/** The Lease of upstream's cloud-controller-manager, so that it and Tandem exclude each other. */
export const cloudControllerManagerLease: LeaseName = {
  namespace: 'kube-system',
  name: 'cloud-controller-manager',
};

type JsonObject = Readonly<Record<string, unknown>>;

/** A Lease as the server sent it. */
export interface Lease {
  readonly object: JsonObject;
  readonly resourceVersion: string;
  /** Empty when the Lease has no holder. */
  readonly holderIdentity: string;
  readonly leaseDurationMs: number;
  readonly leaseTransitions: number;
  /** Differs if anything in the record differs. Metadata is not part of it. */
  readonly recordText: string;
}

/** The writer of a record, its duration, and the time on the wall clock. */
export interface Signature {
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly nowMs: number;
}

/** The Lease in an API value; `undefined` if the value is something else. */
export function readLease(value: unknown): Lease | undefined {
  if (!isRecord(value) || value['kind'] !== 'Lease' || !isRecord(value['metadata'])) {
    return undefined;
  }
  const spec = specOf(value);
  const resourceVersion = value['metadata']['resourceVersion'];
  if (typeof resourceVersion !== 'string') return undefined;
  return {
    object: value,
    resourceVersion,
    holderIdentity: typeof spec['holderIdentity'] === 'string' ? spec['holderIdentity'] : '',
    // Missing fields count as zero, as in client-go.
    leaseDurationMs: numberOrNought(spec['leaseDurationSeconds']) * 1000,
    leaseTransitions: numberOrNought(spec['leaseTransitions']),
    recordText: JSON.stringify(spec),
  };
}

/** A new Lease with its first holder. */
export function createdLease({ namespace, name }: LeaseName, by: Signature): JsonObject {
  const spec = { ...heldBy(by), acquireTime: microTime(by.nowMs), leaseTransitions: 0 };
  const metadata = { namespace, name };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
}

/** Taken over from another holder, or after a release. */
export function acquiredLease(lease: Lease, by: Signature): JsonObject {
  const leaseTransitions = lease.leaseTransitions + 1;
  return withSpec(lease, { ...heldBy(by), acquireTime: microTime(by.nowMs), leaseTransitions });
}

export function renewedLease(lease: Lease, by: Signature): JsonObject {
  return withSpec(lease, heldBy(by));
}

/** Released. The API server refuses a duration of 0, so it is one second, as in client-go. */
export function releasedLease(lease: Lease, nowMs: number): JsonObject {
  const now = microTime(nowMs);
  return withSpec(lease, {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: now,
    renewTime: now,
  });
}

function heldBy({ identity, leaseDurationMs, nowMs }: Signature): JsonObject {
  return {
    holderIdentity: identity,
    leaseDurationSeconds: leaseDurationMs / 1000,
    renewTime: microTime(nowMs),
  };
}

function withSpec({ object }: Lease, changes: JsonObject): JsonObject {
  return { ...object, spec: { ...specOf(object), ...changes } };
}

function specOf(object: JsonObject): JsonObject {
  return isRecord(object['spec']) ? object['spec'] : {};
}

function numberOrNought(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
