import assert from 'node:assert/strict';
import type { Route } from '@azure/arm-network';
import type { RouteNode, RouteOperation } from '@tandem/provider/plug';
import * as fc from 'fast-check';
import { mergeTable } from './merge-table.ts';

const none: ReadonlySet<string> = new Set();

describe('a merged route table', () => {
  const foreign: Route = {
    id: '/id/of/firewall',
    name: 'firewall',
    addressPrefix: '0.0.0.0/0',
    nextHopType: 'VirtualAppliance',
    nextHopIpAddress: '10.0.0.254',
  };
  const internet: Route = { name: 'tag', addressPrefix: 'AzureCloud', nextHopType: 'Internet' };
  const ecmp: Route = {
    name: 'ecmp',
    addressPrefix: '10.9.0.0/16',
    nextHopType: 'VirtualApplianceEcmp',
    nextHop: { nextHopIpAddresses: ['10.0.0.1', '10.0.0.2'] },
  };
  const one = routeOf('worker-1', '10.244.1.0/24', '10.0.0.1');
  const ten = routeOf('worker-10', '10.244.10.0/24', '10.0.0.10');

  it('keeps foreign routes as they are', () => {
    const current = [foreign, internet, ecmp, one];
    const { routes } = mergeTable(current, [create('10.244.2.0/24', nodeOf(2))], none);
    assert.deepEqual(routes.slice(0, 4), current);
    assert.deepEqual(routes.slice(4), [routeOf('worker-2', '10.244.2.0/24', '10.0.0.2')]);
  });

  it('loses the deleted route of worker-1, and keeps that of worker-10', () => {
    const { routes, outcomes } = mergeTable([one, ten], [remove(one)], none);
    assert.deepEqual(routes, [ten]);
    assert.deepEqual(outcomes, [{ kind: 'applied' }]);
  });

  it('is not written when the route is already gone', () => {
    const { changing, outcomes } = mergeTable([ten], [remove(one)], none);
    assert.equal(changing.size, 0);
    assert.deepEqual(outcomes, [{ kind: 'applied' }]);
  });

  it('refuses a destination that has a route, in any spelling, and names the route', () => {
    const six = routeOf('worker-1', 'fd00:10:244:1::/64', 'fd00::1');
    const operations = [create('FD00:0010:244:1::/64', nodeOf(2)), create('0.0.0.0/0', nodeOf(2))];
    const { outcomes, changing } = mergeTable([six, foreign], operations, none);
    for (const [index, name] of [six.name, 'firewall'].entries()) {
      const outcome = outcomes[index];
      assert(outcome?.kind === 'refused');
      assert.equal(outcome.reason, 'exists');
      assert(outcome.err.message.includes(`"${name}"`));
    }
    assert.equal(changing.size, 0);
  });

  it('accepts a destination whose route is deleted in the same batch', () => {
    const operations = [create('10.244.1.0/24', nodeOf(2)), remove(one)];
    const { routes, outcomes } = mergeTable([one], operations, none);
    assert.deepEqual(routes, [routeOf('worker-2', '10.244.1.0/24', '10.0.0.2')]);
    assert(outcomes.every(({ kind }) => kind === 'applied'));
  });

  it('renames a route for the node to which it moves', () => {
    const moved: RouteOperation = {
      kind: 'replace',
      table: 't',
      route: one.name ?? '',
      to: nodeOf(2),
    };
    assert.deepEqual(mergeTable([one, ten], [moved], none).routes, [
      ten,
      routeOf('worker-2', '10.244.1.0/24', '10.0.0.2'),
    ]);
  });

  it('corrects the next hop of a node without touching the rest of its route', () => {
    const stale = { ...one, id: '/id', nextHopIpAddress: '10.0.0.99' };
    const repair: RouteOperation = {
      kind: 'replace',
      table: 't',
      route: one.name ?? '',
      to: nodeOf(1),
    };
    assert.deepEqual(mergeTable([stale], [repair], none).routes, [{ ...one, id: '/id' }]);
  });

  it('renames a route with a legacy name when it is replaced', () => {
    const legacy = { ...one, name: 'worker-1' };
    const repair: RouteOperation = {
      kind: 'replace',
      table: 't',
      route: 'worker-1',
      to: nodeOf(1),
    };
    assert.deepEqual(mergeTable([legacy], [repair], new Set(['worker-1'])).routes, [one]);
  });

  it('refuses to change foreign or missing routes, or to add one without a valid destination and next hop', () => {
    const operations: RouteOperation[] = [
      remove(foreign),
      { kind: 'replace', table: 't', route: 'firewall', to: nodeOf(1) },
      { kind: 'replace', table: 't', route: 'gone', to: nodeOf(1) },
      create('10.244.0.0', nodeOf(1)),
      create('fd00:10:244:1::/64', { ...nodeOf(1), addresses: { IPv4: '10.0.0.1' } }),
    ];
    const { routes, outcomes, changing } = mergeTable([foreign], operations, none);
    assert(outcomes.every(({ kind }) => kind === 'refused'));
    assert.equal(outcomes.length, operations.length);
    assert.deepEqual(routes, [foreign]);
    assert.equal(changing.size, 0);
  });

  it('has exactly the routes that a naive list would have', () => {
    const numbers = fc.uniqueArray(fc.nat(30), { maxLength: 20 });
    fc.assert(
      fc.property(numbers, numbers, numbers, (held, created, deleted) => {
        const routeAt = (number: number): Route =>
          routeOf(`worker-${number}`, `10.244.${number}.0/24`, `10.0.0.${number}`);
        const operations = [
          ...created.map((number) => create(`10.244.${number}.0/24`, nodeOf(number))),
          ...deleted.map((number) => remove(routeAt(number))),
        ];
        const { routes, outcomes } = mergeTable([foreign, ...held.map(routeAt)], operations, none);
        const left = held.filter((number) => !deleted.includes(number));
        const added = created.filter((number) => !left.includes(number));
        const want = [...left, ...added].map((number) => `worker-${number}`);
        const names = routes.slice(1).map(({ name = '' }) => name.slice(0, name.indexOf('____')));
        assert.deepEqual(names.toSorted(), want.toSorted());
        assert.deepEqual(routes[0], foreign);
        const refused = outcomes.filter(({ kind }) => kind === 'refused').length;
        assert.equal(refused, created.length - added.length);
      }),
    );
  });
});

function nodeOf(number: number): RouteNode {
  const addresses = { IPv4: `10.0.0.${number}`, IPv6: `fd00::${number}` };
  return { key: `key-${number}`, name: `worker-${number}`, addresses };
}

function create(destination: string, to: RouteNode): RouteOperation {
  return { kind: 'create', table: 't', destination, to };
}

function remove({ name = '' }: Route): RouteOperation {
  return { kind: 'delete', table: 't', route: name };
}

function routeOf(node: string, addressPrefix: string, nextHopIpAddress: string): Route {
  const name = `${node}____${addressPrefix.replaceAll(/[:./]/g, '')}`;
  return { name, addressPrefix, nextHopType: 'VirtualAppliance', nextHopIpAddress };
}
