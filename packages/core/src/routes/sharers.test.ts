import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatCidr, networkOf, overlaps } from '../ip/index.ts';
import { podNetworksOf } from './need.ts';
import { address, aNode } from './routes.fixture.ts';
import { findSharers } from './sharers.ts';

/** Draws from few addresses and many lengths, so that networks often contain each other. */
const network = fc
  .tuple(fc.constantFrom('10.0.0.0', '10.0.0.128', '10.0.1.0', 'fd00::', 'fd00:0:0:1::'), fc.nat(8))
  .map(([text, step]) => {
    const ip = address(text);
    return formatCidr(networkOf(ip, ip.family === 'IPv4' ? 16 + step : 48 + 2 * step));
  });

describe('nodes that share addresses', () => {
  it('are the same as in a comparison of all pairs', () => {
    const clusters = fc.array(fc.array(network, { maxLength: 3 }), { maxLength: 6 });
    fc.assert(
      fc.property(clusters, (lists) => {
        const holdings = lists.map((podCIDRs, number) => {
          const node = aNode(number, { podCIDRs });
          return { node, networks: podNetworksOf(podCIDRs).networks };
        });
        const sharers = findSharers(holdings);
        for (const { node, networks } of holdings) {
          for (const one of networks) {
            const naive = holdings.filter(
              (other) => other.node !== node && other.networks.some((each) => overlaps(each, one)),
            );
            assert.deepEqual(sharers(node, one), naive.map((other) => other.node.name).toSorted());
          }
        }
      }),
    );
  });

  it('are found even if they share one list object of podCIDRs', () => {
    const podCIDRs = ['10.244.1.0/24'];
    const nodes = [aNode(1, { podCIDRs }), aNode(2, { podCIDRs })];
    const { networks } = podNetworksOf(podCIDRs);
    const sharers = findSharers(nodes.map((node) => ({ node, networks })));
    const [first, second] = nodes;
    const [one] = networks;
    assert.ok(first !== undefined && second !== undefined && one !== undefined);
    assert.deepEqual([sharers(first, one), sharers(second, one)], [['node-2'], ['node-1']]);
  });
});
