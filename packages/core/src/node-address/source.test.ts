import assert from 'node:assert/strict';
import { readAddresses } from './address-list.ts';
import type { NodeIPPolicy } from './policy.ts';
import {
  describeDisagreement,
  findRequest,
  kubeletAnnotation,
  operatorAnnotation,
} from './source.ts';

const policy = (name: string, options: Partial<NodeIPPolicy> = {}): NodeIPPolicy => ({
  name,
  selector: {},
  request: name,
  overridesKubelet: false,
  ...options,
});

describe('findRequest', () => {
  const operators = { [operatorAnnotation]: 'operator' };
  const kubelets = { [kubeletAnnotation]: 'kubelet' };
  const plain = policy('plain');
  const overriding = policy('overriding', { overridesKubelet: true });
  const cases: {
    name: string;
    annotations: Record<string, string>;
    policies: NodeIPPolicy[];
    want: string | null;
  }[] = [
    {
      name: "prefers the operator's annotation to all other sources",
      annotations: { ...kubelets, ...operators },
      policies: [overriding],
      want: operatorAnnotation,
    },
    {
      name: "prefers an overriding policy to kubelet's annotation",
      annotations: kubelets,
      policies: [overriding],
      want: 'nodeIPPolicies/overriding',
    },
    {
      name: 'prefers an overriding policy to an earlier plain one, even without kubelet',
      annotations: {},
      policies: [plain, overriding],
      want: 'nodeIPPolicies/overriding',
    },
    {
      name: "prefers kubelet's annotation to a plain policy",
      annotations: kubelets,
      policies: [plain],
      want: kubeletAnnotation,
    },
    {
      name: 'uses the first matching policy',
      annotations: {},
      policies: [
        policy('other', { selector: { matchLabels: { pool: 'none' } } }),
        plain,
        policy('last'),
      ],
      want: 'nodeIPPolicies/plain',
    },
    {
      name: 'uses an annotation that is present but empty',
      annotations: { [operatorAnnotation]: '', ...kubelets },
      policies: [],
      want: operatorAnnotation,
    },
    {
      name: 'finds none without a source',
      annotations: { other: 'x' },
      policies: [],
      want: null,
    },
  ];
  for (const { name, annotations, policies, want } of cases) {
    it(name, () => {
      const found = findRequest({ annotations, labels: { pool: 'a' } }, policies);
      assert.equal(found?.source ?? null, want);
    });
  }
});

describe('describeDisagreement', () => {
  const given = {
    cloud: readAddresses([
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: 'fd00::1' },
    ]),
    exclusions: [],
    gates: { CloudNodeIPs: true },
  };
  const describeBoth = (operators: string, kubelets: string): string | null =>
    describeDisagreement({ [operatorAnnotation]: operators, [kubeletAnnotation]: kubelets }, given);

  it('names both requests if their results differ', () => {
    assert.match(
      describeBoth('IPv6', '10.0.0.1') ?? '',
      /node-ip "IPv6" overrides .*node-ip "10\.0\.0\.1", .* give different results\./,
    );
    assert.notEqual(describeBoth('IPv4,IPv6', 'IPv6,IPv4'), null);
    assert.notEqual(describeBoth('IPv4', '9.9.9.9'), null);
  });

  it('is null if both give the same result, or if there is only one request', () => {
    assert.equal(describeBoth('IPv4', '10.0.0.1'), null);
    assert.equal(describeBoth('010.0.0.1', '10.0.0.1'), null);
    assert.equal(describeDisagreement({ [operatorAnnotation]: 'IPv4' }, given), null);
  });

  it("is null if the operator's request is refused, because it overrides nothing", () => {
    for (const refused of ['IPv4,IPv4', 'ipv6', '', '8.8.8.8']) {
      assert.equal(describeBoth(refused, '10.0.0.1'), null, refused);
      assert.equal(describeBoth(refused, '9.9.9.9'), null, refused);
    }
  });
});
