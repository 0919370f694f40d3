/** The node as its kubelet registers it, and the conditions that the kubelet reports. */
import { kubeletAnnotation, type NodeAddress } from '@tandem/core/node-address';

export interface NewNode {
  readonly name: string;
  readonly providerID: string | undefined;
  readonly podCIDRs: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly nodeIPAnnotation: string | null;
  readonly addresses: readonly NodeAddress[] | null;
  readonly conditions: readonly Condition[];
  readonly bootID: string;
  readonly detail: Detail;
}

/** Whether a kubelet reports everything about its machine or only what the manager reads. */
export type Detail = 'full' | 'scant';

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly lastHeartbeatTime: string;
  readonly lastTransitionTime: string;
}

/** A kubelet sets the taint only here: it does not touch the taints of an existing node. */
export function newNode(node: NewNode): object {
  const { name, providerID, podCIDRs, nodeIPAnnotation, addresses, detail } = node;
  return {
    metadata: {
      name,
      labels: {
        ...(detail === 'full' ? platform : {}),
        'kubernetes.io/hostname': name,
        ...node.labels,
      },
      annotations: {
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
        ...(nodeIPAnnotation === null ? {} : { [kubeletAnnotation]: nodeIPAnnotation }),
        ...node.annotations,
      },
    },
    spec: {
      ...(providerID === undefined ? {} : { providerID }),
      ...(podCIDRs.length === 0 ? {} : { podCIDRs }),
      taints: [uninitialized],
    },
    status: {
      ...(detail === 'full' ? resources : {}),
      ...(addresses === null ? {} : { addresses }),
      conditions: node.conditions,
      nodeInfo: { ...(detail === 'full' ? nodeInfo : {}), bootID: node.bootID },
    },
  };
}

const platform = {
  'beta.kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/os': 'linux',
};

const resources = {
  capacity: { cpu: '4', memory: '16Gi', pods: '110' },
  allocatable: { cpu: '3920m', memory: '15Gi', pods: '110' },
  daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
};

const uninitialized = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

const nodeInfo = {
  architecture: 'amd64',
  containerRuntimeVersion: 'containerd://2.1.0',
  kernelVersion: '6.12.0',
  kubeProxyVersion: '',
  kubeletVersion: 'v1.36.4',
  machineID: '00000000000040008000000000000002',
  operatingSystem: 'linux',
  osImage: 'Tandem simulated',
  systemUUID: '00000000-0000-4000-8000-000000000003',
};

const pressures: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
];

export function conditionsOf(options: {
  readonly detail: Detail;
  readonly isReady: boolean;
  readonly now: string;
  /** When the node last became Ready or not Ready. */
  readonly since: string;
}): readonly Condition[] {
  const { detail, isReady, now, since } = options;
  const times = { lastHeartbeatTime: now, lastTransitionTime: since };
  return [
    ...(detail === 'full' ? pressures : []).map(
      ([type, reason, message]) => ({ type, status: 'False', reason, message, ...times }) as const,
    ),
    {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      reason: isReady ? 'KubeletReady' : 'KubeletNotReady',
      message: isReady ? 'kubelet is posting ready status' : 'container runtime is down',
      ...times,
    },
  ];
}
