/** Nodes as large as those of real clusters: 9.4 KB of JSON as the API server sends it, 43 images. */

interface NodeObject {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly providerID: string;
    readonly podCIDR: string;
    readonly podCIDRs: readonly string[];
    readonly taints: readonly object[];
  };
  readonly status: object;
}

export function aNode(number: number): NodeObject {
  const name = nodeName(number);
  const four = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const six = `fd00::${number.toString(16)}`;
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm7i.2xlarge',
        'topology.kubernetes.io/region': 'eu-central-1',
        'topology.kubernetes.io/zone': `eu-central-1${'abc'[number % 3] ?? ''}`,
        pool: `pool-${number % 20}`,
      },
      annotations: {
        'alpha.kubernetes.io/provided-node-ip': four,
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: {
      providerID: `static:///rack-${number % 40}/${name}`,
      podCIDR: `${four}/32`,
      podCIDRs: [`${four}/32`, `${six}/128`],
      taints: [{ key: 'example.com/pool', value: 'general', effect: 'PreferNoSchedule' }],
    },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: conditionTypes.map((type) => ({
        type,
        status: type === 'Ready' ? 'True' : 'False',
        lastHeartbeatTime: '2026-03-01T12:00:00Z',
        lastTransitionTime: '2026-03-01T12:00:00Z',
        reason: `Kubelet${type}`,
        message: `kubelet says something about ${type}`,
      })),
      addresses: [
        { type: 'InternalIP', address: four },
        { type: 'InternalIP', address: six },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: {
        machineID: number.toString(16).padStart(32, '0'),
        systemUUID: `22222222-0000-4000-8000-${String(number).padStart(12, '0')}`,
        bootID: `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`,
        kernelVersion: '6.12.0-cloud',
        osImage: 'Example Linux 12',
        containerRuntimeVersion: 'containerd://2.1.4',
        kubeletVersion: 'v1.36.4',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
      images: Array.from({ length: 43 }, (_, image) => ({
        names: [
          `images/team-${image}@sha256:${image.toString(16).padStart(64, '0')}`,
          `images/team-${image}:v1.${image}`,
        ],
        sizeBytes: 100_000_000 + image,
      })),
    },
  };
}

export function nodeName(number: number): string {
  return `node-${String(number).padStart(5, '0')}`;
}

/** What a kubelet reports every few minutes. It concerns no controller. */
export function aHeartbeat(time: string): object {
  const conditions = conditionTypes.map((type) => ({ type, lastHeartbeatTime: time }));
  return { status: { conditions } };
}

const conditionTypes = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];

const resources = {
  cpu: '8',
  'ephemeral-storage': '101430960Ki',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '32386544Ki',
  pods: '110',
};
