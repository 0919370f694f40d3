import assert from 'node:assert/strict';
import { suggestion } from './did-you-mean.ts';

const names = ['kubeconfig', 'kube-api-qps', 'kube-api-burst', 'v', 'config'];

describe('did you mean', () => {
  const cases = [
    ['kubconfig', 'kubeconfig'],
    ['kubecofnig', 'kubeconfig'],
    ['KubeConfig', 'kubeconfig'],
    ['kube-api-qsp', 'kube-api-qps'],
    ['cofnig', 'config'],
    ['kube', undefined],
    ['x', undefined],
    ['', undefined],
    ['something-else', undefined],
    ['k'.repeat(10_000), undefined],
  ] as const;
  for (const [given, want] of cases) {
    it(`suggests ${want ?? 'nothing'} for "${given.slice(0, 20)}"`, () => {
      assert.equal(suggestion(given, names), want);
    });
  }
});
