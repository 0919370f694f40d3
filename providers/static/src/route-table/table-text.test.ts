import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatCidr, networkOf, parseAddress } from '@tandem/core/ip';
import { tableOf } from './routes-world.fixture.ts';
import { formatTable, parseTable, type TableRoute } from './table-text.ts';

describe('the text of a route table', () => {
  it('is JSON with one route on each line, sorted by destination', () => {
    const table = parseTable(
      tableOf(
        'FD00:10:244:0::/64 node-0 FD00::0001',
        '10.244.10.0/24 node-1 10.0.0.2',
        '10.244.9.0/24 node-0 10.0.0.1',
      ),
    );
    assert.equal(
      formatTable(table),
      [
        '{"routes":[',
        '{"destination":"10.244.9.0/24","node":"node-0","nextHop":"10.0.0.1"},',
        '{"destination":"10.244.10.0/24","node":"node-1","nextHop":"10.0.0.2"},',
        '{"destination":"fd00:10:244::/64","node":"node-0","nextHop":"fd00::1"}',
        ']}',
        '',
      ].join('\n'),
    );
    assert.equal(formatTable(new Map()), '{"routes":[]}\n');
  });

  it('is the same after it is read and written again, whatever the order of its routes', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6()).map(parseAddress);
    const route = fc
      .record({ from: address, bits: fc.nat({ max: 32 }), to: address, node: fc.string() })
      .filter(({ node }) => node !== '')
      .map(({ from, bits, to, node }): TableRoute => {
        assert.ok(from !== undefined && to !== undefined);
        return { destination: networkOf(from, bits), node, nextHop: to };
      });
    fc.assert(
      fc.property(fc.array(route, { maxLength: 30 }), (routes) => {
        const table = new Map(routes.map((one) => [formatCidr(one.destination), one]));
        const text = formatTable(table);
        const turned = JSON.stringify({ routes: JSON.parse(text).routes.toReversed() });
        assert.deepEqual(new Map(parseTable(text)), new Map([...parseTable(turned)].toReversed()));
        assert.equal(formatTable(parseTable(turned)), text);
        assert.equal(parseTable(text).size, table.size);
      }),
    );
  });

  const route = '{"destination":"10.244.0.0/24","node":"a","nextHop":"10.0.0.1"}';
  const bad = [
    { text: '', want: /^it is not JSON: Unexpected end/ },
    { text: '{"routes":[{"destina', want: /^it is not JSON: / },
    { text: '[]', want: /^the file must be a JSON object$/ },
    { text: '{}', want: /^routes must be a list$/ },
    { text: '{"routes":{}}', want: /^routes must be a list$/ },
    { text: '{"routes":[],"version":2}', want: /^the file has the unknown field "version"$/ },
    { text: '{"routes":[null]}', want: /^route 1 must be a JSON object$/ },
    {
      text: `{"routes":[${route},${route}]}`,
      want: /^it has two routes to 10\.244\.0\.0\/24$/,
    },
    {
      text: `{"routes":[${route.replace('}', ',"metric":1}')}]}`,
      want: /^route 1 has the unknown field "metric"$/,
    },
    {
      text: `{"routes":[${route.replace('"a"', '""')}]}`,
      want: /^node of route 1 must be a string that is not empty$/,
    },
    {
      text: `{"routes":[${route.replace('10.0.0.1', '10.0.0.256')}]}`,
      want: /^nextHop "10\.0\.0\.256" of route 1 is not an IP address$/,
    },
    {
      text: `{"routes":[${route.replace('0.0/24', '0.1/24')}]}`,
      want: /^destination "10\.244\.0\.1\/24" of route 1 has bits set beyond/,
    },
  ];
  for (const { text, want } of bad) {
    it(`is refused as a whole when it is invalid: ${String(want)}`, () => {
      assert.throws(() => parseTable(text), { message: want });
    });
  }
});
