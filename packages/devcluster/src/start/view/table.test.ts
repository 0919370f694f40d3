import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { kubeletAnnotation, operatorAnnotation } from '@tandem/core/node-address';
import type { Row } from '../board/index.ts';
import { aRow } from '../board/row.fixture.ts';
import { type Line, textOf } from './line.ts';
import { layOutTable } from './table.ts';

function addresses(...list: string[]): Row['got'] {
  return list.map((address) => ({ type: 'InternalIP', address }));
}

const rows: readonly Row[] = [
  aRow({
    node: 'dual-01',
    state: 'ready',
    got: addresses('1.2.3.4', '5.6.7.8', 'abcd::1234', 'abcd::5678'),
    stack: 'DS IPv4-primary',
    podCIDRs: ['10.64.0.0/24', 'fd64::/64'],
    why: "took the cloud's list as it is",
  }),
  aRow({ node: 'dual-02', nodeIP: '0.0.0.0' }),
  aRow({
    node: 'ipv4-07',
    asked: { value: '1.2.3.4,abcd::1234', source: kubeletAnnotation },
    state: 'refused',
    podCIDRProblem: { code: 'PodCIDROutsidePools', message: 'in no pool' },
    podCIDRs: ['192.168.7.0/24'],
    code: 'AddressNotFound',
    why: 'Requested address abcd::1234 is not an address of the instance',
  }),
  aRow({
    node: 'override',
    asked: { value: 'IPv6', source: operatorAnnotation },
    state: 'ready',
    got: addresses('abcd::1234'),
    stack: 'SS IPv6',
    code: 'NodeIPRequestsDiffer',
    why: 'they differ',
  }),
];

function texts(lines: readonly Line[]): string[] {
  return lines.map((line) => textOf(line).trimEnd());
}

describe('the table', () => {
  it('shows everything where there is room', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 400 })), [
      'NODE      ASKED               GOT                                    STACK            PODCIDRS                STATE    WHY',
      "dual-01   (none)              1.2.3.4 5.6.7.8 abcd::1234 abcd::5678  DS IPv4-primary  10.64.0.0/24 fd64::/64  ready    took the cloud's list as it is",
      'dual-02   (0.0.0.0)                                                                                           waiting',
      'ipv4-07   1.2.3.4,abcd::1234                                                          PodCIDROutsidePools     refused  AddressNotFound: Requested address abcd::1234 is not an address of the instance PodCIDROutsidePools: in no pool',
      'override  IPv6 (operator)     abcd::1234                             SS IPv6                                  ready    NodeIPRequestsDiffer: they differ',
    ]);
  });

  it('cuts reasons and long lists of addresses at 140 columns', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 140 })), [
      'NODE      ASKED               GOT                     STACK            PODCIDRS                STATE    WHY',
      "dual-01   (none)              1.2.3.4 5.6.7.8 abcd:…  DS IPv4-primary  10.64.0.0/24 fd64::/64  ready    took the cloud's list as it is",
      'dual-02   (0.0.0.0)                                                                            waiting',
      'ipv4-07   1.2.3.4,abcd::1234                                           PodCIDROutsidePools     refused  AddressNotFound: Requested address…',
      'override  IPv6 (operator)     abcd::1234              SS IPv6                                  ready    NodeIPRequestsDiffer: they differ',
    ]);
  });

  it('shows codes where addresses would stand when there is no room for reasons', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 110 })), [
      'NODE      ASKED               GOT                             STACK            PODCIDRS                STATE',
      'dual-01   (none)              1.2.3.4 5.6.7.8 abcd::1234 ab…  DS IPv4-primary  10.64.0.0/24 fd64::/64  ready',
      'dual-02   (0.0.0.0)                                                                                    waiting',
      'ipv4-07   1.2.3.4,abcd::1234  AddressNotFound                                  PodCIDROutsidePools     refused',
      'override  IPv6 (operator)     abcd::1234                      SS IPv6                                  ready',
    ]);
  });

  it('shows the first pod CIDR alone before it leaves a column out', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 94 })), [
      'NODE      ASKED               GOT                STACK            PODCIDRS             STATE',
      'dual-01   (none)              1.2.3.4 5.6.7.8…   DS IPv4-primary  10.64.0.0/24 +1      ready',
      'dual-02   (0.0.0.0)                                                                    waiting',
      'ipv4-07   1.2.3.4,abcd::1234  AddressNotFound                     PodCIDROutsidePools  refused',
      'override  IPv6 (operator)     abcd::1234         SS IPv6                               ready',
    ]);
  });

  it('omits the stack at 80 columns, and shortens the source of a request', () => {
    const [dual, ...others] = rows;
    const asked = { value: 'IPv6,IPv4', source: operatorAnnotation };
    const wide = [{ ...dual!, asked }, ...others];
    const conflict = aRow({ node: 'twin-b', state: 'refused', code: 'ProviderIDConflict' });
    assert.deepEqual(texts(layOutTable([...wide, conflict], { width: 78 })), [
      'NODE      ASKED               GOT                 PODCIDRS             STATE',
      'dual-01   IPv6,IPv4 (operat…  1.2.3.4 5.6.7.8 a…  10.64.0.0/24 +1      ready',
      'dual-02   (0.0.0.0)                                                    waiting',
      'ipv4-07   1.2.3.4,abcd::1234  AddressNotFound     PodCIDROutsidePools  refused',
      'override  IPv6 (operator)     abcd::1234                               ready',
      'twin-b    (none)              ProviderIDConflict                       refused',
    ]);
  });

  it('has room for codes where no node has addresses as long', () => {
    const [, , refused, ready] = rows;
    const lines = texts(layOutTable([refused!, ready!], { width: 88 }));
    assert.match(lines.join('\n'), /^ipv4-07 .* AddressNotFound +PodCIDROutsidePools +refused$/m);
    assert.match(lines.join('\n'), /^override .* abcd::1234 +SS IPv6 +ready$/m);
  });

  it('distinguishes an empty request and one of blanks from none', () => {
    const asked = (value: string, source = kubeletAnnotation): string => {
      const [, line = ''] = texts(layOutTable([aRow({ asked: { value, source } })], { width: 80 }));
      return line.slice('node-1  '.length).replace(/ +waiting$/, '');
    };
    assert.equal(asked(''), '""');
    assert.equal(asked('', operatorAnnotation), '"" (operator)');
    assert.equal(asked(' IPv4'), '" IPv4"');
  });

  it('never cuts the code of a refusal, and shows it in place of addresses', () => {
    const refused = aRow({
      node: 'ipv4-07',
      asked: { value: '1.2.3.4,abcd::12', source: operatorAnnotation },
      state: 'refused',
      got: addresses('1.2.3.4'),
      stack: 'SS IPv4',
      code: 'ProviderIDConflict',
    });
    for (let width = 60; width <= 100; width++) {
      const lines = texts(layOutTable([...rows, refused], { width })).join('\n');
      assert.match(lines, /^ipv4-07 .*ProviderIDConflict.* refused\b/m);
    }
  });

  it('omits the stack and pod CIDRs before it cuts requests', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 60 })), [
      'NODE      ASKED               GOT                    STATE',
      'dual-01   (none)              1.2.3.4 5.6.7.8 abcd…  ready',
      'dual-02   (0.0.0.0)                                  waiting',
      'ipv4-07   1.2.3.4,abcd::1234  AddressNotFound        refused',
      'override  IPv6 (operator)     abcd::1234             ready',
    ]);
  });

  it('is never wider than the given width, whatever its content', () => {
    const text = fc.string({ maxLength: 60 });
    const anyRow = fc.record({
      node: text,
      asked: fc.option(fc.record({ value: text, source: text })),
      got: fc.array(fc.record({ type: text, address: text }), { maxLength: 5 }),
      podCIDRs: fc.array(text, { maxLength: 2 }),
      podCIDRProblem: fc.option(fc.record({ code: text, message: text })),
      why: text,
      code: fc.option(text),
      state: fc.constantFrom('waiting', 'ready', 'refused', 'paused', 'down'),
    });
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 6 }),
        fc.integer({ min: 1, max: 250 }),
        (some, width) => {
          const lines = layOutTable(
            some.map((row) => aRow(row as Partial<Row>)),
            { width },
          );
          assert.equal(lines.length, some.length + 1);
          for (const line of lines) assert.ok(textOf(line).length <= width);
        },
      ),
    );
  });

  it('contains no character that would control a terminal or shift its columns', () => {
    const nasty = aRow({
      node: 'a\u001b[2J',
      asked: { value: 'IPv4\n\u001b]0;x\u0007', source: kubeletAnnotation },
      why: 'w\u0000\u009b1m\u202e\u{1F600}漢\u0301',
    });
    const all = texts(layOutTable([nasty], { width: 200 })).join('');
    assert.doesNotMatch(all, /[\p{Cc}\p{Cf}\p{M}漢\u{1F600}]/u);
    assert.match(all, /a\?\[2J/);
  });

  it('highlights rows that have just changed', () => {
    const tonesOf = (fresh: ReadonlySet<string>): readonly string[] =>
      layOutTable(rows, { width: 140, fresh })[1]?.map(({ tone }) => tone) ?? [];
    assert.ok(!tonesOf(new Set()).includes('strong'));
    assert.ok(tonesOf(new Set(['dual-01'])).includes('strong'));
  });
});
