import assert from 'node:assert/strict';
import type { Resource } from './client.ts';
import { resourcePath } from './request.ts';

const node: Resource = { group: '', version: 'v1', resource: 'nodes', name: 'a' };
const lease: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
  namespace: 'kube-system',
  name: 'x',
};

describe('resourcePath', () => {
  const cases: { name: string; given: Resource; want: string }[] = [
    {
      name: 'a name with a slash',
      given: { ...node, name: 'a/b?c' },
      want: '/api/v1/nodes/a%2Fb%3Fc',
    },
    {
      name: 'a subresource',
      given: { ...node, subresource: 'status' },
      want: '/api/v1/nodes/a/status',
    },
    {
      name: 'a namespaced object of a group',
      given: lease,
      want: '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x',
    },
    {
      name: 'a collection of the core group',
      given: { group: '', version: 'v1', resource: 'nodes' },
      want: '/api/v1/nodes',
    },
  ];
  for (const { name, given, want } of cases) {
    it(`builds the path of ${name}`, () => assert.equal(resourcePath(given), want));
  }

  it('escapes the values of a query', () => {
    const path = resourcePath(node, { labelSelector: 'a=b,c', watch: '1' });
    assert.equal(path, '/api/v1/nodes/a?labelSelector=a%3Db%2Cc&watch=1');
  });

  it('rejects a name that would lead to another resource', () => {
    for (const name of ['', '.', '..']) {
      assert.throws(() => resourcePath({ ...node, name }), RangeError);
    }
  });
});
