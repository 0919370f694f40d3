import assert from 'node:assert/strict';
import { aRow } from './board/row.fixture.ts';
import type { Row } from './board/index.ts';
import { findDifferences } from './differences.ts';
import { type Expected, kepMachines, type Machine } from './machines/index.ts';

/** The row that the machine is expected to get. */
function rowOf({ name, expected }: Machine): Row {
  const podCIDRs = ['10.64.0.0/24', 'fd64::/64'];
  switch (expected.state) {
    case 'ready':
      return aRow({
        node: name,
        podCIDRs,
        state: 'ready',
        got: expected.addresses.map((address) => ({ type: 'InternalIP', address })),
        // The KEP has stacks as text.
        stack: expected.stack as Row['stack'],
      });
    case 'refused':
      return aRow({ node: name, podCIDRs, state: 'refused', code: expected.code });
    case 'paused':
      return aRow({ node: name, podCIDRs, state: 'paused' });
  }
}

function differencesOf(changed: Row | undefined, name: string): readonly string[] {
  const rows = new Map(kepMachines.map((machine) => [machine.name, rowOf(machine)]));
  if (changed === undefined) rows.delete(name);
  else rows.set(name, changed);
  return findDifferences(kepMachines, (node) => rows.get(node)).map(
    ({ node, message }) => `${node}: ${message}`,
  );
}

describe('the comparison with the KEP', () => {
  it('finds nothing where every row is as the KEP specifies', () => {
    const [first] = kepMachines;
    assert.deepEqual(differencesOf(rowOf(first!), first!.name), []);
  });

  const dual10 = rowOf(kepMachines[9]!);
  const ipv409 = rowOf(kepMachines[20]!);
  const both = ['1.2.3.4', 'abcd::1234'].map((address) => ({ type: 'InternalIP', address }));
  const cases: readonly (readonly [name: string, row: Row, want: RegExp])[] = [
    [
      'addresses in another order',
      { ...dual10, got: both.toReversed() },
      /^dual-10: KEP-3705 specifies 1\.2\.3\.4 and abcd::1234 \(DS IPv4-primary\), but the node is ready with abcd::1234 and 1\.2\.3\.4/,
    ],
    ['one address too many', { ...dual10, got: [...both, both[0]!] }, /^dual-10/],
    ['another stack', { ...dual10, stack: 'DS IPv6-primary' }, /^dual-10/],
    ['a node that waits', { ...dual10, state: 'waiting' }, /the node is waiting/],
    [
      'a refusal that the KEP does not specify',
      { ...dual10, state: 'refused', code: 'AddressNotFound', got: [] },
      /but the node is refused \(AddressNotFound\)$/,
    ],
    [
      'a refusal for another reason',
      { ...ipv409, code: 'AddressNotFound' },
      /^ipv4-09: KEP-3705 specifies a refusal with NoAddressOfFamily, but the node is refused \(AddressNotFound\)$/,
    ],
    [
      'pod CIDRs in another order',
      { ...dual10, podCIDRs: dual10.podCIDRs.toReversed() },
      /^dual-10: expected pod CIDRs IPv4 and IPv6, but the node has pod CIDRs fd64::\/64 and 10\.64\.0\.0\/24$/,
    ],
    [
      'a node without pod CIDRs',
      { ...ipv409, podCIDRs: [] },
      /^ipv4-09: expected pod CIDRs IPv4 and IPv6, but the node has no pod CIDRs$/,
    ],
    [
      'a problem of pod CIDRs',
      { ...dual10, podCIDRProblem: { code: 'DuplicatePodCIDR', message: '' } },
      / but the node has pod CIDRs 10\.64\.0\.0\/24 and fd64::\/64 \(DuplicatePodCIDR\)$/,
    ],
    ['addresses beside a refusal', { ...ipv409, got: both }, /^ipv4-09/],
    ['addresses in place of a refusal', { ...ipv409, state: 'ready' }, /^ipv4-09/],
  ];
  for (const [name, row, want] of cases) {
    it(`finds ${name}`, () => {
      const found = differencesOf(row, row.node);
      assert.equal(found.length, 1);
      assert.match(found[0]!, want);
    });
  }

  it('finds a missing node', () => {
    assert.match(differencesOf(undefined, 'dual-01').join(), /dual-01: .*the node does not exist/);
  });

  it('finds a paused node with addresses', () => {
    const expected: Expected = { state: 'paused' };
    const machine: Machine = {
      ...kepMachines[0]!,
      expected,
      expectedPodCIDRs: { families: [], code: null },
    };
    const row = aRow({ node: machine.name, state: 'paused', got: both });
    assert.equal(findDifferences([machine], () => row).length, 1);
    assert.deepEqual(
      findDifferences([machine], () => ({ ...row, got: [] })),
      [],
    );
  });
});
