/**
 * Both IP families for Services, as the clusters that Tandem serves have them.
 */
import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { type ControlPlane, request, sharedControlPlane } from '../control-plane/index.ts';

describe('a dual-stack Service', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;

  before(async function () {
    controlPlane = await sharedControlPlane(this);
  });

  for (const { ipFamilies, want } of [
    { ipFamilies: ['IPv4', 'IPv6'], want: [4, 6] },
    { ipFamilies: ['IPv6', 'IPv4'], want: [6, 4] },
  ]) {
    it(`gets an address of each family in the order ${ipFamilies.join(', ')}`, async () => {
      const answer = await request(controlPlane.admin, {
        method: 'POST',
        path: '/api/v1/namespaces/default/services',
        body: {
          metadata: { name: `dual-stack-${ipFamilies.join('-').toLowerCase()}` },
          spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies, ports: [{ port: 80 }] },
        },
      });
      assert.equal(answer.status, 201, answer.text);
      const { clusterIPs }: { clusterIPs: string[] } = JSON.parse(answer.text).spec;
      assert.deepEqual(clusterIPs.map(isIP), want);
    });
  }
});
