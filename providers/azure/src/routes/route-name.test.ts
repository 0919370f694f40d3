import assert from 'node:assert/strict';
import type { Route } from '@azure/arm-network';
import * as fc from 'fast-check';
import { isManaged, isNameOf, nodeNameOf, routeNameOf } from './route-name.ts';

const free = (): boolean => false;

describe('names of routes', () => {
  const cases = [
    { node: 'worker-1', destination: '10.244.1.0/24', want: 'worker-1____102441024' },
    { node: 'worker-1', destination: 'fd00:10:244:1::/64', want: 'worker-1____fd0010244164' },
    { node: 'worker-1', destination: 'FD00:0010:244:1::/64', want: 'worker-1____fd0010244164' },
    { node: 'n'.repeat(90), destination: '10.0.0.0/8', want: `${'n'.repeat(70)}____100008` },
  ];
  for (const { node, destination, want } of cases) {
    it(`are upstream's for ${destination} of ${node.slice(0, 10)}`, () => {
      assert.equal(routeNameOf(node, destination, free), want);
      assert(want.length <= 80);
    });
  }

  it('get a number when another destination has the same digits', () => {
    const first = routeNameOf('a', '10.24.41.0/24', free);
    const second = routeNameOf('a', '10.244.1.0/24', (name) => name === first);
    assert.equal(second, `${first}-2`);
    const route = { name: second, addressPrefix: '10.244.1.0/24' };
    assert(isNameOf('a', route));
    assert.equal(nodeNameOf(route), 'a');
    assert(!isNameOf('b', route));
  });

  it('are recognized, whatever the node, the destination and the case', () => {
    const nodes = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,80}$/);
    const octets = fc.nat(255);
    fc.assert(
      fc.property(nodes, octets, octets, (node, x, y) => {
        for (const addressPrefix of [`10.${x}.${y}.0/24`, `fd00:${x}:${y}::/64`]) {
          const name = routeNameOf(node, addressPrefix, free);
          assert(isManaged(aRoute({ name: name.toUpperCase(), addressPrefix }), new Set()));
        }
      }),
    );
  });
});

describe('a route', () => {
  const name = 'worker-1____102441024';
  const nodes = new Set(['worker-1']);
  const cases: { readonly name: string; readonly route: Partial<Route>; readonly want: boolean }[] =
    [
      { name: 'with a name of the manager is ours', route: { name }, want: true },
      { name: 'with a legacy name is ours by its node', route: { name: 'Worker-1' }, want: true },
      { name: 'with any other name is not', route: { name: 'firewall' }, want: false },
      {
        name: 'whose name only begins like a node’s is not',
        route: { name: 'worker-10' },
        want: false,
      },
      {
        name: 'whose destination differs from its name is not',
        route: { name, addressPrefix: '10.9.9.0/24' },
        want: false,
      },
      { name: 'to the Internet is not', route: { name, nextHopType: 'Internet' }, want: false },
      {
        name: 'to a service tag is not',
        route: { name: 'worker-1', addressPrefix: 'AzureCloud' },
        want: false,
      },
      { name: 'whose name has no node is not', route: { name: '____102441024' }, want: false },
      { name: 'without a name is not', route: { name: '' }, want: false },
    ];
  for (const { name: claim, route, want } of cases) {
    it(claim, () => assert.equal(isManaged(aRoute(route), nodes), want));
  }
});

function aRoute(changes: Partial<Route>): Route {
  return {
    addressPrefix: '10.244.1.0/24',
    nextHopType: 'VirtualAppliance',
    nextHopIpAddress: '10.0.0.4',
    ...changes,
  };
}
