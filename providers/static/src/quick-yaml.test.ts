import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseDocument } from 'yaml';
import { readQuickly } from './quick-yaml.ts';

describe('the quick reader of YAML', () => {
  it('reads an entry as users write it', () => {
    const text = [
      '  - name: node-0',
      '    providerID: static:///rack1/node-0 # the second rack',
      '    addresses:',
      '      - {type: InternalIP, address: 10.0.0.1}',
      '      - type: InternalIP',
      '        address: "fd00::1"',
      '',
      '    podCIDRs: [10.244.0.0/24, "fd00:10:244::/64"]',
      '    labels: {rack: r1, x/y: z, 1: one}',
    ].join('\n');
    assert.deepEqual(readQuickly(text), slowly(text));
  });

  it('reads every text that it accepts in the same way as the full parser', () => {
    let read = 0;
    const check = (text: string): void => {
      const quick = readQuickly(text);
      if (quick === undefined) return;
      read++;
      assert.deepEqual(quick, slowly(text), text);
    };
    fc.assert(fc.property(yamlText, check), { numRuns: 1_500 });
    assert.ok(read > 300, `only ${read} texts were read the quick way`);
  });
});

/** Returns the value according to the full parser; undefined if the text is not YAML. */
function slowly(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 ? undefined : document.toJS({ mapAsMap: true });
}

/** Lines that are YAML, almost YAML, or no YAML at all. */
const scalar = fc.oneof(
  fc.constantFrom('a', 'r640', 'static:///a/b', '10.0.0.1', '10.0.0.0/8', '"fd00::1"', "'x'", '""'),
  fc.constantFrom('1', '1.5', '0x1f', '1e3', 'true', 'Null', '~', 'a: b', 'a#b', 'a #b', 'fd00::1'),
  fc.constantFrom(
    '.inf',
    '-1',
    '10.0',
    'a:',
    ':a',
    '- a',
    '"a\\"b"',
    "'a''b'",
    '[',
    '{}',
    '[]',
    '*a',
  ),
  fc.stringMatching(/^[-a-z0-9:.,#'"{}[\] ]{0,8}$/),
);
const flow = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c/d', 'no'), scalar), { maxLength: 3 })
    .map((pairs) => `{${pairs.map(([key, value]) => `${key}: ${value}`).join(', ')}}`),
);
const line = fc
  .tuple(
    fc.constantFrom('', '  ', '    ', '      '),
    fc.constantFrom('', '- ', '-'),
    fc.constantFrom('', 'a: ', 'b: ', 'c:', 'null: ', '# '),
    fc.oneof(fc.constant(''), flow),
  )
  .map((parts) => parts.join(''));
const entry = fc
  .array(fc.tuple(fc.constantFrom('name', 'zone', 'labels'), flow), { minLength: 1, maxLength: 3 })
  .map((fields) => `- ${fields.map(([key, value]) => `${key}: ${value}`).join('\n  ')}`);
/** The values of usual entries. */
const word = fc.constantFrom('a', 'static:///a/b', '10.0.0.1', '"fd00::1"', "'x'", '[]', '{a: b}');
const block = fc.constantFrom(
  '\n    - {a: b}\n    - c: d\n      e: f',
  '\n  - a',
  '\n    a: b\n    b: c',
);
const plainEntry = fc
  .uniqueArray(fc.constantFrom('name', 'zone', 'labels', 'c/d'), { minLength: 1 })
  .chain((keys) =>
    fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), fc.oneof(word, block)))),
  )
  .map(
    (pairs) =>
      `- ${pairs.map(([key, value]) => `${key}: ${value}`.replace(': \n', ':\n')).join('\n  ')}`,
  );
const yamlText = fc.oneof(
  plainEntry,
  fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n')),
  fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries) => entries.join('\n')),
);
