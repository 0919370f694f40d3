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
    why: "took the cloud's list as it is",
  }),
  aRow({ node: 'dual-02', nodeIP: '0.0.0.0' }),
  aRow({
    node: 'ipv4-07',
    asked: { value: '1.2.3.4,abcd::1234', source: kubeletAnnotation },
    state: 'refused',
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
      'NODE      ASKED               GOT                                    STACK            STATE    WHY',
      "dual-01   (none)              1.2.3.4 5.6.7.8 abcd::1234 abcd::5678  DS IPv4-primary  ready    took the cloud's list as it is",
      'dual-02   (0.0.0.0)                                                                   waiting',
      'ipv4-07   1.2.3.4,abcd::1234                                                          refused  AddressNotFound: Requested address abcd::1234 is not an address of the instance',
      'override  IPv6 (operator)     abcd::1234                             SS IPv6          ready    NodeIPRequestsDiffer: they differ',
    ]);
  });

  it('cuts reasons and long lists of addresses at 120 columns', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 120 })), [
      'NODE      ASKED               GOT                     STACK            STATE    WHY',
      "dual-01   (none)              1.2.3.4 5.6.7.8 abcd:…  DS IPv4-primary  ready    took the cloud's list as it is",
      'dual-02   (0.0.0.0)                                                    waiting',
      'ipv4-07   1.2.3.4,abcd::1234                                           refused  AddressNotFound: Requested address abcd…',
      'override  IPv6 (operator)     abcd::1234              SS IPv6          ready    NodeIPRequestsDiffer: they differ',
    ]);
  });

  it('shows codes where addresses would stand when there is no room for reasons', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 80 })), [
      'NODE      ASKED               GOT                       STACK            STATE',
      'dual-01   (none)              1.2.3.4 5.6.7.8 abcd::1…  DS IPv4-primary  ready',
      'dual-02   (0.0.0.0)                                                      waiting',
      'ipv4-07   1.2.3.4,abcd::1234  AddressNotFound                            refused',
      'override  IPv6 (operator)     abcd::1234                SS IPv6          ready',
    ]);
  });

  it('has room for codes where no node has addresses as long', () => {
    const [, , refused, ready] = rows;
    const lines = texts(layOutTable([refused!, ready!], { width: 72 }));
    assert.match(lines.join('\n'), /^ipv4-07 .* AddressNotFound +refused$/m);
    assert.match(lines.join('\n'), /^override .* abcd::1234 +SS IPv6 +ready$/m);
  });

  it('tells an empty request and one of blanks from none', () => {
    const asked = (value: string, source = kubeletAnnotation): string => {
      const [, line = ''] = texts(layOutTable([aRow({ asked: { value, source } })], { width: 80 }));
      return line.slice('node-1  '.length).replace(/ +waiting$/, '');
    };
    assert.equal(asked(''), '""');
    assert.equal(asked('', operatorAnnotation), '"" (operator)');
    assert.equal(asked(' IPv4'), '" IPv4"');
  });

  it('cuts no code of a refusal, and shows it in the place of addresses', () => {
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

  it('leaves the stack out before it cuts what was asked for', () => {
    assert.deepEqual(texts(layOutTable(rows, { width: 60 })), [
      'NODE      ASKED               GOT                    STATE',
      'dual-01   (none)              1.2.3.4 5.6.7.8 abcd…  ready',
      'dual-02   (0.0.0.0)                                  waiting',
      'ipv4-07   1.2.3.4,abcd::1234  AddressNotFound        refused',
      'override  IPv6 (operator)     abcd::1234             ready',
    ]);
  });

  it('is never wider than it may be, whatever stands in it', () => {
    const text = fc.string({ maxLength: 60 });
    const anyRow = fc.record({
      node: text,
      asked: fc.option(fc.record({ value: text, source: text })),
      got: fc.array(fc.record({ type: text, address: text }), { maxLength: 5 }),
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

  it('lets nothing through that would steer a terminal or upset its columns', () => {
    const nasty = aRow({
      node: 'a\u001b[2J',
      asked: { value: 'IPv4\n\u001b]0;x\u0007', source: kubeletAnnotation },
      why: 'w\u0000\u009b1m\u202e\u{1F600}漢\u0301',
    });
    const all = texts(layOutTable([nasty], { width: 200 })).join('');
    assert.doesNotMatch(all, /[\p{Cc}\p{Cf}\p{M}漢\u{1F600}]/u);
    assert.match(all, /a\?\[2J/);
  });

  it('makes rows stand out that have just changed', () => {
    const tonesOf = (fresh: ReadonlySet<string>): readonly string[] =>
      layOutTable(rows, { width: 120, fresh })[1]?.map(({ tone }) => tone) ?? [];
    assert.ok(!tonesOf(new Set()).includes('strong'));
    assert.ok(tonesOf(new Set(['dual-01'])).includes('strong'));
  });
});
