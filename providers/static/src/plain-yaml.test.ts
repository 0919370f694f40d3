import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { type PlainNode, readPlainYaml } from './plain-yaml.ts';

describe('the quick reader of plain YAML', () => {
  it('reads an entry as people write it', () => {
    const text = [
      '  - name: node-0',
      '    providerID: static:///rack1/node-0',
      '    # the second rack',
      '    addresses:',
      '      - {type: InternalIP, address: 10.0.0.1}',
      '      - type: InternalIP',
      '        address: "fd00::1"',
      '',
      '    podCIDRs: [10.244.0.0/24, "fd00:10:244::/64"]',
      '    labels: {rack: r1, x/y: z}',
    ].join('\n');
    assert.deepEqual(plain(readPlainYaml(text)), parse(text));
  });

  const doubtful = [
    { name: 'a number', text: '- zone: 1' },
    { name: 'a word that means something', text: '- zone: no' },
    { name: 'nothing', text: '- zone:' },
    { name: 'a comment behind a value', text: '- zone: a # b' },
    { name: 'an escape', text: String.raw`- zone: "a\n"` },
    { name: 'a key that is there twice', text: '- zone: a\n  zone: b' },
    { name: 'an address without quotes', text: '- {address: fd00::1}' },
    { name: 'a line that is indented too far', text: '- zone: a\n    region: b' },
    { name: 'a text over several lines', text: '- zone: a\n   b' },
    { name: 'a block of text', text: '- zone: |\n    a' },
    { name: 'letters beyond ASCII', text: '- zone: ä' },
    { name: 'an anchor', text: '- zone: &a b' },
    { name: 'a tag', text: '- zone: !!str 1' },
  ];
  for (const { name, text } of doubtful) {
    it(`leaves ${name} to the library`, () => {
      assert.equal(readPlainYaml(text), undefined);
    });
  }

  it('never reads anything otherwise than the library does', () => {
    let read = 0;
    const check = (text: string): void => {
      const quick = readPlainYaml(text);
      if (quick === undefined) return;
      read++;
      assert.deepEqual(plain(quick), parse(text), text);
    };
    fc.assert(fc.property(yamlText, check), { numRuns: 1_500 });
    assert.ok(read > 300, `only ${read} texts were read the quick way`);
  });
});

/** Lines that are YAML, nearly YAML, and none at all. */
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
/** Nothing doubtful: most of these must be read the quick way. */
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

function plain(node: PlainNode | undefined): unknown {
  if (node === undefined || typeof node === 'string') return node;
  if (node instanceof Map) {
    return Object.fromEntries([...node].map(([key, value]) => [key, plain(value)]));
  }
  return [...node.values()].map(plain);
}
