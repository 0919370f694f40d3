import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Inventory } from './inventory.ts';
import { aRef, head, plain } from './files.fixture.ts';
import { readInventory, readWhole } from './read-inventory.ts';
import { splitEntries } from './split-entries.ts';

const path = 'inventory.yaml';
const labelRule =
  'at most 63 letters, digits, dashes, underscores and dots, with a letter or digit at both ends';

const read = (text: string): Promise<Inventory> =>
  readInventory(text, { path, pause: async () => {} });

/** The refused entries, each as `line: problem`. */
const refusalsOf = ({ refusals }: Inventory): string[] =>
  refusals.map(({ problem }) => `${problem.place.line}: ${problem.message}`);

const kindFor = (inventory: Inventory, name: string, providerID = ''): string =>
  inventory.answerFor(aRef(name, providerID)).kind;

const whole = `${head}instances:
  - name: node-0
    providerID: static:///rack1/node-0
    instanceType: r640
    zone: rack1
    region: dc1
    state: stopped
    addresses:
      - {type: InternalIP, address: 10.0.0.1}
      - {type: InternalIP, address: "FD00::0001"}
      - {type: Hostname, address: node-0}
    podCIDRs: [10.244.0.0/24, "fd00:10:244::/64"]
    labels: {rack: r1, empty: ''}
  - name: node-1
    addresses: []
`;

describe('reading an inventory', () => {
  it('keeps every field as written, and uses defaults for missing fields', async () => {
    const inventory = await read(whole);
    assert.deepEqual(inventory.answerFor(aRef('node-0')), {
      kind: 'found',
      instance: {
        providerID: 'static:///rack1/node-0',
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'InternalIP', address: 'FD00::0001' },
          { type: 'Hostname', address: 'node-0' },
        ],
        instanceType: 'r640',
        zone: 'rack1',
        region: 'dc1',
        state: 'stopped',
        labels: { rack: 'r1', empty: '' },
        podBlocks: { IPv4: ['10.244.0.0/24'], IPv6: ['fd00:10:244::/64'] },
      },
    });
    assert.deepEqual(inventory.answerFor(aRef('node-1')), {
      kind: 'found',
      instance: {
        providerID: 'static:///node-1',
        addresses: [],
        state: 'running',
        labels: {},
        podBlocks: { IPv4: [], IPv6: [] },
      },
    });
  });

  it('accepts two instances that list the same address', async () => {
    const inventory = await read(`${head}instances:\n${plain('a')}${plain('b')}`);
    assert.deepEqual([inventory.size, refusalsOf(inventory)], [2, []]);
  });

  it('owns the providerIDs with its scheme or a listed prefix, and no others', async () => {
    const text = `${head}providerIDPrefixes: ["metal://dc1/"]\ninstances: []\n`;
    const inventory = await read(text);
    const ids = [
      'static:///a',
      'metal://dc1/a',
      'metal://dc2/a',
      'metal://',
      'aws:///a',
      'static:/',
    ];
    const owned = ids.filter((id) => inventory.owns(id));
    assert.deepEqual(owned, ['static:///a', 'metal://dc1/a']);
  });

  it('resolves the path of the route table from the folder of the inventory', async () => {
    const cases = [
      { given: '/var/lib/tandem/routes.json', want: '/var/lib/tandem/routes.json' },
      { given: 'routes.json', want: '/site/routes.json' },
      { given: '../shared/./routes.json', want: '/shared/routes.json' },
    ];
    for (const { given, want } of cases) {
      for (const text of [
        `${head}routeTable: {file: ${given}}\ninstances: []\n`,
        `${head}instances:\n${plain('a')}routeTable:\n  file: ${given}\n`,
      ]) {
        const options = { path: '/site/inventory.yaml', pause: async () => {} };
        assert.equal((await readInventory(text, options)).routeFile, want);
      }
    }
    assert.equal((await read(whole)).routeFile, undefined);
  });

  const address = (text: string): string => `  - {name: x, addresses: [${text}]}\n`;
  const bad = [
    { entry: plain('good-0'), want: '5: name "good-0" is already used on line 4' },
    {
      entry: plain('x', ', providerID: static:///good-0'),
      want: '5: providerID "static:///good-0" is already used on line 4',
    },
    {
      entry: plain('x', ', providerID: aws:///i-1'),
      want: '5: providerID "aws:///i-1" must start with static:// or one of providerIDPrefixes',
    },
    {
      entry: address('{type: InternalIP, address: 10.0.0.256}'),
      want: '5: "10.0.0.256" is not an IP address',
    },
    {
      entry: address('{type: ExternalIP, address: 10.0.0.1/24}'),
      want: '5: "10.0.0.1/24" is not an IP address',
    },
    {
      entry: address('{type: Hostname, address: "a b"}'),
      want: '5: "a b" is not a hostname',
    },
    {
      entry: address('{type: internalIP, address: 10.0.0.1}'),
      want: '5: unknown type "internalIP"; known types: InternalIP, ExternalIP, Hostname, InternalDNS, ExternalDNS',
    },
    { entry: address('10.0.0.1'), want: '5: expected a map, found a string' },
    { entry: address('{type: InternalIP}'), want: '5: address is missing' },
    {
      entry: '  - name: x\n    addresses:\n',
      want: '5: addresses is missing; write addresses: [] for none',
    },
    {
      entry: '  - name: x\n    addresses: {}\n',
      want: '6: expected a list, found a map',
    },
    {
      entry: '  - name: 7\n    addresses: []\n',
      want: '5: expected a string, found the number 7; put it in quotes',
    },
    {
      entry: '  - name: ""\n    addresses: []\n',
      want: '5: expected a string, found an empty string',
    },
    { entry: '  - addresses: []\n', want: '5: name is missing' },
    { entry: '  - x\n', want: '5: expected a map, found a string' },
    { entry: '  - name: x\n    name: x\n    addresses: []\n', want: '6: name appears twice' },
    {
      entry: '  - name: x\n    adresses: []\n',
      want:
        '6: unknown field adresses; known fields: name, providerID, instanceType, zone, region, state, ' +
        'addresses, podCIDRs, labels',
    },
    {
      entry: plain('x', ', state: paused'),
      want: '5: state must be running or stopped, not "paused"',
    },
    {
      entry: plain('x', ', labels: {a: 1}'),
      want: '5: expected a string, found the number 1; put it in quotes',
    },
    { entry: plain('x', ', labels: [a]'), want: '5: expected a map, found a list' },
    {
      entry: '  - name: x\n    labels:\n      rack: r1\n      row: "no good!"\n    addresses: []\n',
      want: `8: "no good!" is not a valid label value: expected ${labelRule}`,
    },
    {
      entry: plain('x', ', labels: {"a b": c}'),
      want: `5: "a b" is not a valid label key: expected a name of ${labelRule}, after an optional domain and slash`,
    },
    {
      entry: '  - name: x\n    instanceType: r640 (new)\n    addresses: []\n',
      want: `6: "r640 (new)" is not a valid label value: expected ${labelRule}`,
    },
    {
      entry: plain('x', ', zone: "rack 1"'),
      want: `5: "rack 1" is not a valid label value: expected ${labelRule}`,
    },
    {
      entry: plain('x', `, region: ${'r'.repeat(64)}`),
      want: `5: "${'r'.repeat(47)}…" is not a valid label value: expected ${labelRule}`,
    },
    { entry: plain('x', ', zone: [a]'), want: '5: expected a string, found a list' },
    {
      entry: plain('x', ', providerID: "static://good-0"'),
      want: '5: providerID "static://good-0" is already used on line 4',
    },
    {
      entry: plain('x', ', podCIDRs: [10.244.0.1/24]'),
      want: '5: "10.244.0.1/24" has bits set beyond its prefix length; the network is 10.244.0.0/24',
    },
    {
      entry: plain('x', ', podCIDRs: [10.244.0.0/24, "fd00::/64", 10.244.1.0/24]'),
      want: '5: "10.244.1.0/24" is the second IPv4 CIDR; give at most one of each family',
    },
  ];
  for (const { entry, want } of bad) {
    it(`refuses only the wrong entry: ${want}`, async () => {
      const text = `${head}instances:\n${plain('good-0')}${entry}${plain('good-1')}`;
      const inventory = await read(text);
      assert.deepEqual(refusalsOf(inventory), [want]);
      assert.deepEqual(
        [kindFor(inventory, 'good-0'), kindFor(inventory, 'good-1'), inventory.size],
        ['found', 'found', 2],
      );
    });
  }

  it('answers unknown, not absent, for the node of a refused entry', async () => {
    const entry = '  - {name: x, providerID: static:///r/x, addresses: [1]}\n';
    const inventory = await read(`${head}instances:\n${plain('good')}${entry}`);
    assert.equal(kindFor(inventory, 'x'), 'unknown');
    assert.equal(kindFor(inventory, 'other-name', 'static:///r/x'), 'unknown');
    assert.equal(kindFor(inventory, 'y'), 'absent');
    assert.equal(kindFor(inventory, 'y', 'static:///r/y'), 'absent');
  });

  it('refuses a second entry for a node whose first entry was refused', async () => {
    const entry = '  - {name: x, addresses: [1]}\n';
    const inventory = await read(`${head}instances:\n${entry}${plain('x')}`);
    assert.equal(refusalsOf(inventory)[1], '5: name "x" is already used on line 4');
    assert.equal(kindFor(inventory, 'x'), 'unknown');
  });

  const doubts: { entry: string; byName: string; byID: string }[] = [
    { entry: 'x', byName: 'unknown', byID: 'unknown' },
    { entry: '{addresses: []}', byName: 'unknown', byID: 'unknown' },
    { entry: '{nmae: x, addresses: []}', byName: 'unknown', byID: 'unknown' },
    { entry: '{name: 7, addresses: []}', byName: 'unknown', byID: 'unknown' },
    { entry: '{providerID: static:///r/x, addresses: []}', byName: 'unknown', byID: 'absent' },
    { entry: '{name: x, provideID: a, addresses: []}', byName: 'absent', byID: 'unknown' },
    { entry: '{name: x, providerID: 7, addresses: []}', byName: 'absent', byID: 'unknown' },
    {
      entry: '{name: x, providerID: sttaic:///x, addresses: []}',
      byName: 'absent',
      byID: 'unknown',
    },
    { entry: '{name: x, addresses: [1]}', byName: 'absent', byID: 'absent' },
  ];
  for (const { entry, byName, byID } of doubts) {
    it(`answers unknown for every node that ${entry} may describe, and absent for other nodes without an entry`, async () => {
      const inventory = await read(`${head}instances:\n${plain('good')}  - ${entry}\n`);
      assert.equal(inventory.refusals.length, 1);
      assert.deepEqual(
        [kindFor(inventory, 'y'), kindFor(inventory, 'y', 'static:///r/y')],
        [byName, byID],
      );
      assert.equal(kindFor(inventory, 'good'), 'found');
      if (byID === 'absent') return;
      const answer = inventory.answerFor(aRef('y', 'static:///r/y'));
      assert.ok(answer.kind === 'unknown');
      assert.match(
        answer.err.message,
        /^No entry matches this node, but .* inventory\.yaml:5:\d+ is about: /,
      );
    });
  }

  const unusable = [
    { text: '', want: '1:1: expected a map, found nothing' },
    { text: '- a\n', want: '1:1: expected a map, found a list' },
    {
      text: `${head}instances: [\n`,
      want: /^4:1: invalid YAML: the indentation of a line /,
    },
    {
      text: `${head}instances:\n  - name: "a\n`,
      want: /^\d:\d+: invalid YAML: a closing quote, bracket, /,
    },
    {
      text: 'kind: StaticInventory\ninstances: []\n',
      want: /^1:1: apiVersion is missing; add/,
    },
    {
      text: 'apiVersion: v1\nkind: StaticInventory\ninstances: []\n',
      want: '1:13: apiVersion must be tandem.dev/v1alpha1, not "v1"',
    },
    {
      text: 'apiVersion: v1\nclusters: []\nkind: Config\n',
      want: '1:1: kind must be StaticInventory, not "Config"',
    },
    { text: head, want: '1:1: instances is missing; write instances: [] for none' },
    {
      text: `${head}instances:\n`,
      want: '1:1: instances is missing; write instances: [] for none',
    },
    { text: `${head}instances: {}\n`, want: '3:12: expected a list, found a map' },
    { text: `${head}instance: []\n`, want: /^3:1: unknown field instance; known fields: / },
    {
      text: `${head}providerIDPrefixes: [""]\ninstances: []\n`,
      want: '3:22: expected a string, found an empty string',
    },
    {
      text: `${head}providerIDPrefixes: [metal]\ninstances: []\n`,
      want: '3:22: prefix "metal" must start with a scheme, such as metal://',
    },
    {
      text: `${head}instances:\n${plain('a')}${plain('b')}providerIDPrefixes: [metal]\n`,
      want: '6:22: prefix "metal" must start with a scheme, such as metal://',
    },
    {
      text: `${head}routeTable: routes.json\ninstances: []\n`,
      want: '3:13: expected a map, found a string',
    },
    {
      text: `${head}routeTable: {}\ninstances: []\n`,
      want: '3:13: file is missing; name the file of the route table',
    },
    {
      text: `${head}routeTable: {path: routes.json}\ninstances: []\n`,
      want: '3:14: unknown field path; known fields: file',
    },
    {
      text: `${head}instances:\n${plain('a')}routeTable:\n  file: 7\n`,
      want: '6:9: expected a string, found the number 7; put it in quotes',
    },
    {
      text: `${head}routeTable: {file: /var/lib/tandem/}\ninstances: []\n`,
      want: '3:20: "/var/lib/tandem/" is not the path of a file',
    },
    {
      text: `${head}instances: []\n---\na: 1\n`,
      want: /^\d:\d+: invalid YAML: the file has more than one document/,
    },
  ];
  for (const { text, want } of unusable) {
    it(`refuses a file as a whole: ${String(want)}`, async () => {
      await assert.rejects(
        read(text),
        (err: Error & { place: { line: number; column: number } }) => {
          const message = `${err.place.line}:${err.place.column}: ${err.message}`;
          if (typeof want === 'string') assert.equal(message, want);
          else assert.match(message, want);
          return true;
        },
      );
    });
  }

  it('reads files with anchors, comments, JSON and lists without indentation', async () => {
    const texts = [
      `${head}instances:\n- &a {name: a, addresses: &none []}\n- {name: b, addresses: *none}\n`,
      `# mine\n${head}\ninstances: # all\n\n  # one\n  - name: a\n    # two\n    addresses: []\n\n  - {name: b, addresses: []}\n# end\n`,
      `{"apiVersion":"tandem.dev/v1alpha1","kind":"StaticInventory","instances":[{"name":"a","addresses":[]},{"name":"b","addresses":[]}]}`,
      `instances:\n- name: a\n  addresses: []\n- name: b\n  addresses: []\n${head}`,
      `${head}instances:\n- {name: a, addresses: []}\n-\n  name: b\n  addresses: []\n`,
    ];
    for (const text of texts) {
      const inventory = await read(text);
      assert.deepEqual([inventory.size, refusalsOf(inventory)], [2, []], text);
    }
  });

  it('reads the same entry by entry as in one piece, including line numbers', async () => {
    const entry = fc.constantFrom(
      ...bad.map((row) => row.entry),
      plain('good-0'),
      plain('good-2'),
      '  - name: long\n\n    # why\n    addresses:\n      - type: InternalIP\n        address: 10.0.0.9\n',
      '  - name: |\n      a\n      - b\n    addresses: []\n',
      '  - name: "c\n      - d"\n    addresses: []\n',
      '  - - name: nested\n',
      '  -\n    name: below\n    addresses: []\n',
      '  # a comment\n',
    );
    const tail = fc.constantFrom(
      '',
      '\n',
      '# end\n',
      'providerIDPrefixes: [metal://]\n',
      ' x: 1\n',
    );
    /** A list may be indented by two blanks below its field, or not at all. */
    const list = fc
      .tuple(fc.array(entry, { maxLength: 8 }), fc.constantFrom(/(?!)/g, /^ {2}/gm))
      .map(([entries, blanks]) => entries.join('').replaceAll(blanks, ''));
    await fc.assert(
      fc.asyncProperty(list, tail, async (entries, end) => {
        const text = `${head}instances:\n${entries}${end}`;
        const outcome = (work: () => Promise<Inventory>): Promise<unknown> =>
          work().then(
            (inventory) => ({
              refused: refusalsOf(inventory),
              prefixes: inventory.prefixes,
              size: inventory.size,
            }),
            (err: unknown) => String(err),
          );
        assert.deepEqual(
          await outcome(() => read(text)),
          await outcome(async () => readWhole(text, path)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('splits a file into entries, so that the whole syntax tree is never in memory', () => {
    const text = `${head}instances:\n  - name: a\n    zone: z\n  - name: b\n\n# end\nlast: 1\n`;
    const pieces = splitEntries(text);
    assert.deepEqual(
      pieces?.entries.map((piece) => [piece.text, piece.lineInFile(1)]),
      [
        ['  - name: a\n    zone: z\n', 4],
        ['  - name: b\n\n# end\n', 6],
      ],
    );
  });

  it('reads the other fields from a text without the entries, and keeps their line numbers', () => {
    const entries = plain('a').repeat(1_000);
    const pieces = splitEntries(`${head}instances:\n${entries}providerIDPrefixes: []\n`);
    assert.ok(pieces !== undefined);
    const { text, lineInFile } = pieces.head;
    assert.equal(text, `${head}instances:\nproviderIDPrefixes: []\n`);
    assert.deepEqual([1, 2, 3, 4].map(lineInFile), [1, 2, 3, 1_004]);
  });
});
