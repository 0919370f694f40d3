/**
 * Leases, config maps and namespaces, and an outline of pods and Services, of which the server stores none.
 */
import { kindOf } from './meta.ts';
import {
  always,
  anything,
  bytes,
  dropped,
  flag,
  int32,
  listOf,
  mapOf,
  microTime,
  objectOf,
  type ObjectSchema,
  pointer,
  text,
} from './schema.ts';

export const lease: ObjectSchema = kindOf('io.k8s.api.coordination.v1.Lease', {
  spec: always(
    objectOf('io.k8s.api.coordination.v1.LeaseSpec', {
      holderIdentity: pointer(text),
      leaseDurationSeconds: pointer(int32),
      acquireTime: microTime,
      renewTime: microTime,
      leaseTransitions: pointer(int32),
      strategy: dropped(text),
      preferredHolder: dropped(text),
    }),
    {},
  ),
});

export const configMap: ObjectSchema = kindOf('io.k8s.api.core.v1.ConfigMap', {
  immutable: pointer(flag),
  data: mapOf(text),
  binaryData: mapOf(bytes),
});

export const namespace: ObjectSchema = kindOf('io.k8s.api.core.v1.Namespace', {
  spec: always(objectOf('io.k8s.api.core.v1.NamespaceSpec', { finalizers: listOf(text) }), {}),
  status: always(
    objectOf('io.k8s.api.core.v1.NamespaceStatus', {
      phase: text,
      conditions: listOf(anything),
    }),
    {},
  ),
});

export const pod: ObjectSchema = kindOf('io.k8s.api.core.v1.Pod', {
  spec: anything,
  status: anything,
});

export const service: ObjectSchema = kindOf('io.k8s.api.core.v1.Service', {
  spec: anything,
  status: anything,
});
