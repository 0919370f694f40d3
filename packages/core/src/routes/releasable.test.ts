import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Cidr, containsCidr, formatCidr, overlaps } from '../ip/index.ts';
import type { RouteScope } from './need.ts';
import { findReleasable, type ReleaseInput } from './releasable.ts';
import { anyCase, build } from './routing-case.fixture.ts';
import { aRoute, aTable, cidr, dead, elsewhere, routesOf, toInstance } from './routes.fixture.ts';

const block = cidr('10.244.1.0/24');
const scope: RouteScope = {
  clusterCIDRs: ['10.244.0.0/16', 'fd00:244::/48'].map(cidr),
  families: ['IPv4', 'IPv6'],
};
const released = (input: Partial<ReleaseInput>): string[] =>
  findReleasable({
    blocks: [block],
    tables: [],
    wanted: 0,
    isShown: () => false,
    ...scope,
    ...input,
  }).map(formatCidr);

describe('the block of a deleted node (I7)', () => {
  const cases = [
    { name: 'is free when no route leads to it', tables: [aTable(routesOf(2))], isFree: true },
    {
      name: 'is not free while a route of ours leads to it',
      tables: [aTable(routesOf(1))],
      isFree: false,
    },
    {
      name: 'is not free while one of the tables has a route to it',
      tables: [aTable(routesOf(2)), aTable(routesOf(1), { id: 'second' })],
      isFree: false,
    },
    {
      name: 'is not free while a dead route leads to it, even a foreign one',
      tables: [aTable([aRoute('10.244.1.0/24', dead, { ours: false })])],
      isFree: false,
    },
    {
      name: 'is not free while a larger or smaller network of ours is routed',
      tables: [aTable([aRoute('10.244.0.0/16', elsewhere)])],
      isFree: false,
    },
    {
      name: 'is free although a dead route beyond the cluster CIDRs covers it',
      tables: [aTable([aRoute('0.0.0.0/0', dead), aRoute('10.0.0.0/8', elsewhere)])],
      isFree: true,
    },
    {
      name: 'is free although a live foreign route leads to it',
      tables: [aTable([aRoute('10.244.1.0/24', toInstance(1), { ours: false })])],
      isFree: true,
    },
  ];
  for (const { name, tables, isFree } of cases) {
    it(name, () => assert.equal(released({ tables, wanted: 2 }).length === 1, isFree));
  }

  it('is not free on a list without tables', () => {
    assert.deepEqual(released({ tables: [] }), []);
  });

  it('is not free on a list without routes while nodes need routes (P3)', () => {
    assert.deepEqual(released({ tables: [aTable([])], wanted: 1 }), []);
  });

  it('is free on a list without routes if no node needs one', () => {
    assert.deepEqual(released({ tables: [aTable([])], wanted: 0 }), ['10.244.1.0/24']);
  });

  it('is never free while one of our routes, a dead or an unknown one overlaps it', () => {
    const blocks = ['10.244.1.0/24', '10.244.3.0/24', 'fd00:244:0:2::/64'].map(cidr);
    fc.assert(
      fc.property(anyCase, (spec) => {
        const { tables, clusterCIDRs, families } = build(spec);
        const routes = tables.flatMap((table) => table.routes);
        const isOpen = tables.length > 0 && routes.length > 0;
        const isShown = (one: Cidr): boolean => formatCidr(one) === '10.244.3.0/24';
        const isRouted = (one: (typeof blocks)[number]): boolean =>
          routes.some(
            ({ destination, ours, target }) =>
              destination !== undefined &&
              !isShown(destination) &&
              families.includes(destination.network.family) &&
              clusterCIDRs.some((range) => containsCidr(range, destination)) &&
              overlaps(destination, one) &&
              (ours || target.kind === 'blackhole' || target.kind === 'unknown'),
          );
        assert.deepEqual(
          findReleasable({ blocks, tables, wanted: 1, clusterCIDRs, families, isShown }),
          isOpen ? blocks.filter((one) => !isRouted(one)) : [],
        );
      }),
      { numRuns: 200 },
    );
  });
});
