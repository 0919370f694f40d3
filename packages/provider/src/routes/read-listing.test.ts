import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatCidr } from '@tandem/core/ip';
import type { Route } from '../plug/index.ts';
import { readListing, type ReadListing } from './read-listing.ts';
import { aRoute } from './routes.fixture.ts';

const read = (value: unknown): ReadListing => readListing(value, { begunAtMs: 50, nowMs: 100 });

const readRoutes = (...routes: readonly unknown[]): ReadListing =>
  read({ asOfMs: 60, tables: [{ id: 'main', routes }] });

const problemOf = (listing: ReadListing): string =>
  listing.kind === 'listed' ? 'listed' : `${listing.kind}: ${listing.problem}`;

const foreign = (changes: Partial<Route>): Route => aRoute({ ours: false, ...changes });

describe('reading a list of routes', () => {
  it('copies the known fields, with parsed destinations', () => {
    const route = { ...aRoute({ destination: 'FD00:0010::/64' }), note: 'not ours to keep' };
    const tables = [{ id: 'main', capacity: { IPv4: 50 }, routes: [route] }];
    const listing = read({ asOfMs: 50, tables });
    Object.assign(route, { id: 'changed' });
    tables.pop();
    assert(listing.kind === 'listed');
    const [table] = listing.tables;
    const [{ destination, ...rest } = assert.fail('the route is missing')] = table?.routes ?? [];
    assert.deepEqual(table?.capacity, { IPv4: 50 });
    assert.equal(destination && formatCidr(destination), 'fd00:10::/64');
    assert.deepEqual(rest, {
      id: 'r-1',
      text: 'FD00:0010::/64',
      ours: true,
      target: { kind: 'instance', key: 'i-1', ready: true },
    });
  });

  it('keeps foreign routes whose destination or next hop it cannot parse', () => {
    const listing = readRoutes(
      foreign({ destination: 'pl-68a54001', target: { kind: 'address', address: 'vpn' } }),
      aRoute({ id: 'r-2' }),
    );
    assert(listing.kind === 'listed');
    const [first, second] = listing.tables[0]?.routes ?? [];
    assert.deepEqual(first, {
      id: 'r-1',
      destination: undefined,
      text: 'pl-68a54001',
      ours: false,
      target: { kind: 'other' },
    });
    assert.equal(second?.ours, true);
  });

  it('reads a destination with bits beyond its prefix length as its network', () => {
    const listing = readRoutes(
      aRoute({ destination: '10.244.1.5/24' }),
      foreign({ id: 'r-2', destination: 'FD00:10:244:1:0:0:0:9/64' }),
    );
    assert(listing.kind === 'listed');
    const { routes = [] } = listing.tables[0] ?? {};
    assert.deepEqual(
      routes.map(({ text, destination }) => [text, destination && formatCidr(destination)]),
      [
        ['10.244.1.5/24', '10.244.1.0/24'],
        ['FD00:10:244:1:0:0:0:9/64', 'fd00:10:244:1::/64'],
      ],
    );
  });

  it('does not treat a route with an unknown target as ours (P3)', () => {
    const err = new Error('the zone\nis down');
    const listing = readRoutes(aRoute({ target: { kind: 'unknown', err } }));
    assert(listing.kind === 'listed');
    const { ours, target } = listing.tables[0]?.routes[0] ?? assert.fail('the route is missing');
    assert.deepEqual([ours, target.kind], [false, 'unknown']);
    assert(target.kind === 'unknown' && !target.why.includes('\n'));
  });

  it('rejects an unknown target without an error that explains it', () => {
    assert.match(
      problemOf(readRoutes({ ...aRoute({}), target: { kind: 'unknown' } })),
      /^malformed: err of the target of route "r-1" .* must be an Error$/,
    );
  });

  const cases: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly want: RegExp;
  }[] = [
    { name: 'nothing', value: undefined, want: /^malformed: tables must be a list/ },
    { name: 'a page', value: '<html>', want: /^malformed: tables must be a list/ },
    {
      name: 'tables that are not a list',
      value: { asOfMs: 60, tables: {} },
      want: /must be a list/,
    },
    { name: 'no time', value: { tables: [] }, want: /asOfMs must be a finite number/ },
    { name: 'NaN', value: { asOfMs: Number.NaN, tables: [] }, want: /must be a finite number/ },
    { name: 'the future', value: { asOfMs: 101, tables: [] }, want: /in the future/ },
    { name: 'the past', value: { asOfMs: 49, tables: [] }, want: /^tooOld: it is 1 ms older/ },
    {
      name: 'a table without id',
      value: { asOfMs: 60, tables: [{ routes: [] }] },
      want: /id of a table must be a string/,
    },
    {
      name: 'a table without routes',
      value: { asOfMs: 60, tables: [{ id: 'a' }] },
      want: /routes of table "a" must be a list/,
    },
    {
      name: 'two tables of one id',
      value: {
        asOfMs: 60,
        tables: [
          { id: 'a', routes: [] },
          { id: 'a', routes: [] },
        ],
      },
      want: /two tables have the id "a"/,
    },
    {
      name: 'a negative capacity',
      value: { asOfMs: 60, tables: [{ id: 'a', capacity: -1, routes: [] }] },
      want: /capacity of table "a"/,
    },
    {
      name: 'a capacity of a family that is not a number',
      value: { asOfMs: 60, tables: [{ id: 'a', capacity: { IPv6: '50' }, routes: [] }] },
      want: /capacity of table "a"/,
    },
    {
      name: 'a getter that throws',
      value: Object.defineProperty({}, 'tables', {
        get: () => {
          throw new Error('trap');
        },
      }),
      want: /reading it failed: trap/,
    },
  ];
  for (const { name, value, want } of cases) {
    it(`is unknown as a whole: ${name}`, () => assert.match(problemOf(read(value)), want));
  }

  const target = (value: unknown): unknown => ({ ...aRoute(), target: value });
  const routeCases: readonly {
    readonly name: string;
    readonly routes: readonly unknown[];
    readonly want: RegExp;
  }[] = [
    { name: 'no route', routes: [null], want: /id of a route of table "main"/ },
    {
      name: 'an empty slot',
      routes: Array.from({ length: 1 }),
      want: /id of a route of table "main"/,
    },
    { name: 'two of one id', routes: [aRoute(), aRoute()], want: /two routes of table "main"/ },
    {
      name: 'our route to a malformed destination',
      routes: [aRoute({ destination: 'default' })],
      want: /the destination "default" of route "r-1" of table "main" has no prefix length/,
    },
    {
      name: 'a foreign route without destination',
      routes: [foreign({ destination: '' })],
      want: /destination of route "r-1"/,
    },
    { name: 'owner unknown', routes: [{ ...aRoute(), ours: 1 }], want: /ours of route "r-1"/ },
    { name: 'no target', routes: [target(undefined)], want: /target of route "r-1"/ },
    { name: 'target of another kind', routes: [target({ kind: 'node' })], want: /target of route/ },
    {
      name: 'an instance without key',
      routes: [target({ kind: 'instance', key: '', ready: true })],
      want: /key of the target/,
    },
    {
      name: 'an instance of unknown readiness',
      routes: [target({ kind: 'instance', key: 'i-1' })],
      want: /ready of the target/,
    },
    {
      name: 'our route to a malformed address',
      routes: [target({ kind: 'address', address: '10.0.0' })],
      want: /"10\.0\.0", which is no IP address/,
    },
  ];
  for (const { name, routes, want } of routeCases) {
    it(`is unknown as a whole because of a route: ${name}`, () =>
      assert.match(problemOf(readRoutes(...routes)), want));
  }

  it('never throws', () => {
    fc.assert(fc.property(fc.anything({ maxDepth: 4 }), (value) => void read(value)));
  });
});
