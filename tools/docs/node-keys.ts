/** `docs/reference/annotations-labels-taints.md`: the annotations, labels and taints that Tandem reads or writes. */
import { kubeletAnnotation, operatorAnnotation } from '@tandem/core/node-address';
import {
  cloudLabels,
  networkUnavailableTaint,
  pausedAnnotation,
  uninitializedTaint,
} from '@tandem/core/node-init';
import {
  autoscalerTaint,
  karpenterTaints,
  memoryAnnotation,
  releaseAnnotation,
  shutdownTaint,
} from '@tandem/core/lifecycle';

interface Key {
  readonly key: string;
  readonly meaning: string;
}

interface KeyGroup {
  readonly title: string;
  readonly introduction: string;
  readonly keys: readonly Key[];
}

const labelMeanings: Readonly<Record<string, string>> = {
  'node.kubernetes.io/instance-type': "The machine's type, as the cloud names it.",
  'topology.kubernetes.io/zone': "The machine's zone.",
  'topology.kubernetes.io/region': "The machine's region.",
  'beta.kubernetes.io/instance-type': 'Legacy. Always equal to `node.kubernetes.io/instance-type`.',
  'failure-domain.beta.kubernetes.io/zone':
    'Legacy. Always equal to `topology.kubernetes.io/zone`.',
  'failure-domain.beta.kubernetes.io/region':
    'Legacy. Always equal to `topology.kubernetes.io/region`.',
};

export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Annotations of nodes',
    introduction:
      'A kubelet can set annotations on its own Node. Where you do not trust kubelets, use policies in place of these.',
    keys: [
      {
        key: operatorAnnotation,
        meaning:
          'Your request for node IPs, such as `IPv6,IPv4`. It ranks above everything else. An empty value is refused: remove the annotation instead.',
      },
      {
        key: kubeletAnnotation,
        meaning:
          "The kubelet's request, from its `--node-ip`. Tandem reads it and never writes it. Kubelets as released pass on literal addresses only.",
      },
      {
        key: pausedAnnotation,
        meaning:
          '`true`, `yes`, `on` or `1`: no controller touches the node, deletion included. One Normal event `Paused` says so.',
      },
    ],
  },
  {
    title: 'Annotations of the Lease',
    introduction: 'On the Lease `cloud-controller-manager` in `kube-system`.',
    keys: [
      {
        key: releaseAnnotation,
        meaning:
          'An RFC 3339 time. Until then, the deletion brake does not hold. Set it after you have made sure that the machines are gone.',
      },
      {
        key: memoryAnnotation,
        meaning:
          'What was deleted in the last ten minutes, so that a successor counts it for the brake. Written by the manager; leave it alone.',
      },
    ],
  },
  {
    title: 'Taints',
    introduction: '',
    keys: [
      {
        key: uninitializedTaint,
        meaning:
          'Set by a kubelet with `--cloud-provider=external` when it registers its Node. Tandem removes it, in the write that stores the providerID, after the addresses are stored.',
      },
      {
        key: shutdownTaint.key,
        meaning: `Effect \`${shutdownTaint.effect}\`. Added while the node is NotReady and its machine is stopped, removed when the machine runs again.`,
      },
      {
        key: networkUnavailableTaint.key,
        meaning: `Effect \`${networkUnavailableTaint.effect}\`. Added with the initialisation of a node that needs routes. kube-controller-manager removes it when the condition NetworkUnavailable is False.`,
      },
      {
        key: autoscalerTaint,
        meaning: 'Read only. Such a node does not count for the deletion brake.',
      },
      ...karpenterTaints.map((key) => ({
        key,
        meaning: 'Read only. Such a node does not count for the deletion brake.',
      })),
    ],
  },
  {
    title: 'Labels of every cloud',
    introduction:
      'Written at the initialisation; with `--refresh-labels` they follow the cloud later, too. No label is ever removed. Further labels of the cloud are added, except under keys of `kubernetes.io` and `k8s.io`, and a value that the node has already stays unless `--refresh-labels` is given.',
    keys: [...cloudLabels].toSorted().map((key) => ({ key, meaning: labelMeanings[key] ?? '' })),
  },
  {
    title: 'Labels of AWS',
    introduction: '',
    keys: [
      { key: 'topology.k8s.aws/zone-id', meaning: 'The id of the availability zone. Written.' },
      {
        key: 'topology.k8s.aws/network-node-layer-',
        meaning: 'With a number at its end: where a large machine is in the network. Written.',
      },
    ],
  },
  {
    title: 'Labels of Azure',
    introduction: '',
    keys: [
      {
        key: 'kubernetes.azure.com/managed',
        meaning: 'Read only. `false`: the node is not one of Azure, and Tandem leaves it alone.',
      },
      {
        key: 'kubernetes.azure.com/resource-group',
        meaning:
          'Read only. The resource group of a machine that is not in the one of the cluster.',
      },
    ],
  },
];

export function renderNodeKeys(): string {
  return `# Annotations, labels and taints

<!-- Made by \`npm run docs\` from tools/docs/node-keys.ts. -->

Every key on Nodes and on the Lease that Tandem reads or writes. It touches no other.

${keyGroups.map(renderGroup).join('\n')}`;
}

function renderGroup({ title, introduction, keys }: KeyGroup): string {
  const text = introduction === '' ? '' : `${introduction}\n\n`;
  const items = keys.map(({ key, meaning }) => `- \`${key}\`: ${meaning}`);
  return `## ${title}\n\n${text}${items.join('\n')}\n`;
}
