/** Nodes of core/v1. */
import { kindOf } from './meta.ts';
import {
  always,
  anything,
  dropped,
  flag,
  int32,
  int64,
  listOf,
  mapOf,
  objectOf,
  type ObjectSchema,
  quantity,
  text,
  time,
} from './schema.ts';

const core = 'io.k8s.api.core.v1';

const taint = objectOf(`${core}.Taint`, {
  key: always(text, ''),
  value: text,
  effect: always(text, ''),
  timeAdded: time,
});

const spec = objectOf(`${core}.NodeSpec`, {
  podCIDR: text,
  podCIDRs: listOf(text, 'set'),
  providerID: text,
  unschedulable: flag,
  taints: listOf(taint),
  configSource: dropped(anything),
  externalID: text,
});

const address = objectOf(`${core}.NodeAddress`, {
  type: always(text, ''),
  address: always(text, ''),
});

const condition = objectOf(`${core}.NodeCondition`, {
  type: always(text, ''),
  status: always(text, ''),
  lastHeartbeatTime: always(time, null),
  lastTransitionTime: always(time, null),
  reason: text,
  message: text,
});

const endpoint = objectOf(`${core}.DaemonEndpoint`, { Port: always(int32, 0) });

const systemInfoFields = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
];

const systemInfo = objectOf(`${core}.NodeSystemInfo`, {
  ...Object.fromEntries(systemInfoFields.map((name) => [name, always(text, '')])),
  swap: objectOf(`${core}.NodeSwapStatus`, { capacity: int64 }),
});

/** Shared by all nodes that report nothing. */
const noSystemInfo = Object.fromEntries(systemInfoFields.map((name) => [name, '']));
const noEndpoints = { kubeletEndpoint: { Port: 0 } };

const image = objectOf(`${core}.ContainerImage`, {
  names: always(listOf(text), null),
  sizeBytes: int64,
});

const attachedVolume = objectOf(`${core}.AttachedVolume`, {
  name: always(text, ''),
  devicePath: always(text, ''),
});

const status = objectOf(`${core}.NodeStatus`, {
  capacity: mapOf(quantity),
  allocatable: mapOf(quantity),
  phase: text,
  conditions: listOf(condition, { key: 'type' }),
  addresses: listOf(address, { key: 'type' }),
  daemonEndpoints: always(
    objectOf(`${core}.NodeDaemonEndpoints`, {
      kubeletEndpoint: always(endpoint, noEndpoints.kubeletEndpoint),
    }),
    noEndpoints,
  ),
  nodeInfo: always(systemInfo, noSystemInfo),
  images: listOf(image),
  volumesInUse: listOf(text),
  volumesAttached: listOf(attachedVolume),
  config: dropped(anything),
  declaredFeatures: listOf(text),
  features: mapOf(flag),
  runtimeHandlers: listOf(
    objectOf(`${core}.NodeRuntimeHandler`, { name: always(text, ''), features: mapOf(flag) }),
  ),
});

export const node: ObjectSchema = kindOf(`${core}.Node`, {
  spec: always(spec, {}),
  status: always(status, { daemonEndpoints: noEndpoints, nodeInfo: noSystemInfo }),
});
