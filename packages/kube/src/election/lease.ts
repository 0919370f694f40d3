/**
 * The Lease as electors read and write it, in client-go's terms. Whatever else the object has –
 * `strategy`, `preferredHolder`, labels, annotations, fields of the future – is sent back as it was
 * read.
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
  /** Differs whenever anything about the record differs; the metadata is not part of it. */
  readonly recordText: string;
}

/** Who writes a record, for how long, at what time of the wall clock. */
export interface Signature {
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly nowMs: number;
}

/** The Lease that a value from the API is; `undefined` if it is something else. */
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
    // What is missing counts as nought, as in client-go.
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

/** Taken over from another holder, or free after a release. */
export function acquiredLease(lease: Lease, by: Signature): JsonObject {
  const leaseTransitions = lease.leaseTransitions + 1;
  return withSpec(lease, { ...heldBy(by), acquireTime: microTime(by.nowMs), leaseTransitions });
}

export function renewedLease(lease: Lease, by: Signature): JsonObject {
  return withSpec(lease, heldBy(by));
}

/** Given back. A duration of 0 would be refused, so it is the shortest one, as with client-go. */
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
