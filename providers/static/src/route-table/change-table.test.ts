import assert from 'node:assert/strict';
import type { RouteOperation } from '@tandem/provider/plug';
import { readWhole } from '../read-inventory.ts';
import { changeTable } from './change-table.ts';
import {
  create,
  machine,
  node,
  remove,
  replace,
  tableFile,
  tableOf,
  topWith,
} from './routes-world.fixture.ts';
import { formatTable, parseTable } from './table-text.ts';

const lone =
  '  - {name: v4-only, providerID: static://rack/v4, addresses: [{type: InternalIP, address: 10.0.0.9}]}\n' +
  '  - {name: faulty, addresses: [{type: InternalIP, address: x}]}\n';
const inventory = readWhole(
  `${topWith()}instances:\n${machine(1)}${machine(2)}${lone}`,
  '/site/inventory.yaml',
);
const table = parseTable(
  tableOf('10.244.1.0/24 node-1 10.0.0.1', 'fd00:10:244:1::/64 node-1 fd00::1'),
);

const change = (operations: readonly RouteOperation[], capacity?: number): string[] => {
  const setting = { file: tableFile, inventory, ...(capacity === undefined ? {} : { capacity }) };
  const { table: changed, outcomes } = changeTable(table, operations, setting);
  const isUntouched = formatTable(changed) === formatTable(table);
  return outcomes.map((outcome) => {
    if (outcome.kind === 'applied') return 'applied';
    assert.ok(isUntouched || operations.length > 1, 'a refused operation changed the table');
    assert.ok(outcome.kind === 'refused');
    return `${outcome.reason ?? 'refused'}: ${outcome.err.message}`;
  });
};

describe('changing a route table', () => {
  const v4Only = node(9, { key: 'static:///rack/v4', name: 'n9', addresses: { IPv4: '10.0.0.9' } });
  const cases: readonly { name: string; operation: RouteOperation; want: RegExp }[] = [
    {
      name: 'creates a route to a new destination',
      operation: create('10.244.2.0/24', node(2)),
      want: /^applied$/,
    },
    {
      name: 'refuses a destination that the table has',
      operation: create('10.244.1.0/24', node(2)),
      want: /^exists: The route table \/site\/routes\.json already has a route to 10\.244\.1\.0\/24, by "node-1"$/,
    },
    {
      name: 'refuses a destination that the table has in another spelling',
      operation: create('FD00:0010:0244:0001::/64', node(2)),
      want: /^exists: /,
    },
    {
      name: 'treats another prefix length as another destination',
      operation: create('10.244.1.0/25', node(2)),
      want: /^applied$/,
    },
    {
      name: 'refuses a destination that is not a valid CIDR',
      operation: create('10.244.1.1/24', node(2)),
      want: /^refused: The destination "10\.244\.1\.1\/24" has bits set beyond/,
    },
    {
      name: 'replaces a route of the table',
      operation: replace('10.244.1.0/24', node(2)),
      want: /^applied$/,
    },
    {
      name: 'refuses to replace a route that is gone',
      operation: replace('10.244.3.0/24', node(2)),
      want: /^refused: The route table .* has no route to "10\.244\.3\.0\/24"$/,
    },
    {
      name: 'deletes a route of the table',
      operation: remove('fd00:10:244:1::/64'),
      want: /^applied$/,
    },
    {
      name: 'refuses to delete a route that is gone',
      operation: remove('fd00:10:244:3::/64'),
      want: /^refused: The route table .* has no route to "fd00:10:244:3::\/64"$/,
    },
    {
      name: 'routes a family if the node has an address of it',
      operation: create('10.244.9.0/24', v4Only),
      want: /^applied$/,
    },
    {
      name: 'refuses a family if the node has no address of it',
      operation: create('fd00:10:244:9::/64', v4Only),
      want: /^refused: Cannot route to Node "n9": it has no InternalIP of the family IPv6$/,
    },
    {
      name: 'refuses an address that the inventory does not list',
      operation: create('10.244.2.0/24', node(2, { addresses: { IPv4: '10.0.0.1' } })),
      want: /does not list "10\.0\.0\.1" as InternalIP of "node-2"$/,
    },
    {
      name: 'refuses a node whose machine is not in the inventory',
      operation: replace('10.244.1.0/24', node(7)),
      want: /^refused: Cannot route to Node "node-7": the inventory has no valid entry for it$/,
    },
    {
      name: 'refuses a node whose entry is faulty',
      operation: create('10.244.7.0/24', node(7, { key: 'static:///faulty' })),
      want: /^refused: .* has no valid entry for it$/,
    },
    {
      name: 'refuses an operation on another table',
      operation: { ...remove('10.244.1.0/24'), table: '/site/old.json' },
      want: /^refused: The inventory names the route table \/site\/routes\.json, not \/site\/old\.json$/,
    },
  ];
  for (const { name, operation, want } of cases) {
    it(name, () => {
      const [outcome = ''] = change([operation]);
      assert.match(outcome, want);
    });
  }

  it('refuses to create a route in a full table, but replaces and deletes routes', () => {
    const outcomes = change(
      [
        create('10.244.2.0/24', node(2)),
        replace('10.244.1.0/24', node(2)),
        remove('fd00:10:244:1::/64'),
        create('10.244.2.0/24', node(2)),
      ],
      2,
    );
    assert.match(outcomes[0] ?? '', /^tableFull: .* has 2 routes and takes no more$/);
    assert.deepEqual(outcomes.slice(1), ['applied', 'applied', 'applied']);
  });

  it('writes the name of the machine in the inventory, even if its Node has another name', () => {
    const setting = { file: tableFile, inventory };
    const operations = [create('10.244.9.0/24', v4Only)];
    const { table: changed } = changeTable(table, operations, setting);
    assert.equal(changed.get('10.244.9.0/24')?.node, 'v4-only');
  });
});
