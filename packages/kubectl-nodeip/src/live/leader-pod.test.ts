/** Tests how the plugin finds the leader's pod from the Lease and the pods of its namespace. */
import assert from 'node:assert/strict';
import { findLeaderPod } from './leader-pod.ts';

interface Pod {
  readonly name: string;
  readonly nodeName: string;
  readonly hostNetwork?: boolean;
  readonly container?: string;
}

function find(holderIdentity: string, pods: readonly Pod[]) {
  const objects = pods.map(
    ({ name, nodeName, hostNetwork = true, container = 'cloud-controller-manager' }) => ({
      metadata: { name },
      spec: { nodeName, hostNetwork, containers: [{ name: container }] },
    }),
  );
  const cluster: Parameters<typeof findLeaderPod>[0] = {
    find: async ({ resource, name }) =>
      resource === 'leases'
        ? { spec: { holderIdentity, renewTime: '2026-01-01T00:59:55.000000Z' } }
        : objects.find(({ metadata }) => metadata.name === name),
    list: async (_, { fieldSelector }) =>
      objects.filter(
        ({ spec }) =>
          fieldSelector === undefined || fieldSelector === `spec.nodeName=${spec.nodeName}`,
      ),
  };
  const lease = { namespace: 'kube-system', name: 'cloud-controller-manager' };
  return findLeaderPod(cluster, lease, nowMs);
}

const nowMs = Date.parse('2026-01-01T01:00:00Z');

describe('the pod of the leader', () => {
  const found = [
    {
      name: 'the pod whose name the holder has',
      holder: 'ccm-1_0a',
      pods: [{ name: 'ccm-1', nodeName: 'n1', hostNetwork: false }],
      want: 'ccm-1',
    },
    {
      name: 'the manager on the node with the name of the host',
      holder: 'n1_0a',
      pods: [
        { name: 'ccm-1', nodeName: 'n1' },
        { name: 'ccm-2', nodeName: 'n1.example.com' },
      ],
      want: 'ccm-1',
    },
    {
      name: 'the manager on the node with the short name of the host',
      holder: 'n1.example.com_0a',
      pods: [
        { name: 'ccm-1', nodeName: 'n1' },
        { name: 'ccm-2', nodeName: 'n2' },
      ],
      want: 'ccm-1',
    },
    {
      name: 'the manager on the node with the full name of the host, in any letter case',
      holder: 'N1_0a',
      pods: [
        { name: 'proxy-1', nodeName: 'n1.example.com', container: 'kube-proxy' },
        { name: 'ccm-1', nodeName: 'n1.example.com' },
        { name: 'ccm-11', nodeName: 'n11.example.com' },
      ],
      want: 'ccm-1',
    },
  ];
  for (const { name, holder, pods, want } of found) {
    it(`is ${name}`, async () => {
      const pod = await find(holder, pods);
      assert.deepEqual(pod, { kind: 'pod', namespace: 'kube-system', name: want });
    });
  }

  const without = [
    { name: 'without a Lease', lease: undefined, want: /^there is no Lease .* --lease NAMESPACE/ },
    {
      name: 'when the last leader released the Lease',
      lease: { spec: { holderIdentity: '' } },
      want: /^no manager holds the Lease .* Check that cloud-controller-manager runs$/,
    },
    {
      name: 'when the last leader was killed',
      lease: { spec: { holderIdentity: 'laptop_0a', renewTime: '2026-01-01T00:55:00.000000Z' } },
      want: /^no manager leads: laptop_0a renewed the Lease \S+ for the last time 5m ago\. Check/,
    },
  ];
  for (const { name, lease, want } of without) {
    it(`is not found ${name}, and the message has advice`, async () => {
      const cluster: Parameters<typeof findLeaderPod>[0] = {
        find: async ({ resource }) => (resource === 'leases' ? lease : undefined),
        list: async () => [],
      };
      const pod = await findLeaderPod(cluster, { namespace: 'kube-system', name: 'a' }, nowMs);
      assert.match(pod.kind === 'none' ? pod.problem : '', want);
    });
  }

  it('is not found among several pods whose nodes begin with the same name', async () => {
    const pod = await find('n1_0a', [
      { name: 'ccm-1', nodeName: 'n1.a.example' },
      { name: 'ccm-2', nodeName: 'n1.b.example' },
    ]);
    assert.match(
      pod.kind === 'none' ? pod.problem : '',
      /several pods .* ccm-1, ccm-2\. Pass --manager https/,
    );
  });

  it('is not found when the holder runs outside the cluster, and the message names --manager', async () => {
    const pod = await find('laptop_0a', [{ name: 'ccm-1', nodeName: 'n1' }]);
    assert.match(
      pod.kind === 'none' ? pod.problem : '',
      /^the Lease kube-system\/cloud-controller-manager is held by laptop_0a, which is no pod .*, pass --manager https/,
    );
  });
});
