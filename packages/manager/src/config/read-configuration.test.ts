import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FieldTable } from '@tandem/cli/yaml';
import { formatCidr } from '@tandem/core/ip';
import { parseDocument } from 'yaml';
import { exampleConfiguration } from './example.ts';
import { fieldTables } from './fields.ts';
import {
  noConfiguration,
  parseConfiguration,
  readConfiguration,
  textLengthMax,
} from './read-configuration.ts';

const gates = { CloudNodeIPs: true };

const head = 'apiVersion: tandem.dev/v1alpha1\nkind: ManagerConfiguration\n';

function parse(text: string) {
  return parseConfiguration(text, { path: 'c.yaml', gates });
}

const policy = (fields: string): string => `${head}nodeIPPolicies:\n- {${fields}}\n`;
const selector = (fields: string): string =>
  policy(`name: a, request: IPv4, selector: {${fields}}`);
const expression = (fields: string): string => selector(`matchExpressions: [{${fields}}]`);

describe('the configuration file', () => {
  it('is read correctly from the example', () => {
    const { policies, exclusions, podCIDRPools, problems } = parse(exampleConfiguration);
    assert.deepEqual(problems, []);
    assert.deepEqual(policies, [
      {
        name: 'storage',
        selector: { matchLabels: { pool: 'storage' } },
        request: 'IPv6,IPv4',
        overridesKubelet: true,
      },
      {
        name: 'edge',
        selector: {
          matchExpressions: [
            { key: 'topology.kubernetes.io/region', operator: 'In', values: ['edge-1', 'edge-2'] },
            { key: 'node-role.kubernetes.io/control-plane', operator: 'DoesNotExist' },
          ],
        },
        request: 'IPv4',
        overridesKubelet: false,
      },
    ]);
    assert.deepEqual(
      exclusions.map(({ cidr, type, reason }) => [formatCidr(cidr), type, reason]),
      [
        ['192.0.2.0/24', 'InternalIP', 'excludeCIDRs 192.0.2.0/24: storage network'],
        ['2001:db8:bad::/48', undefined, 'excludeCIDRs 2001:db8:bad::/48'],
        ['10.0.0.5/32', undefined, 'API VIP'],
        ['fd00::5/128', undefined, 'API VIP'],
        ['10.0.0.6/32', undefined, 'ingress VIP'],
        ['fd00::6/128', undefined, 'ingress VIP'],
      ],
    );
    assert.deepEqual(
      podCIDRPools.map(({ name, ranges, selector: of }) => [
        name,
        ranges.map(({ cidr, nodeMaskSize }) => `${formatCidr(cidr)} in /${nodeMaskSize}`),
        of,
      ]),
      [
        [
          'edge',
          ['10.245.0.0/16 in /26', 'fd00:10:245::/48 in /64'],
          { matchLabels: { pool: 'edge' } },
        ],
      ],
    );
  });

  it('may be JSON, and may leave out all settings', () => {
    const json = '{"apiVersion":"tandem.dev/v1alpha1","kind":"ManagerConfiguration","vips":null}';
    assert.deepEqual(parse(json), noConfiguration);
  });

  it('has a documented table that names every field with a label selector', () => {
    const places = fieldTables.flatMap(({ path, fields }) =>
      Object.entries(fields)
        .filter(([, { type }]) => type === 'label selector')
        .map(([name]) => `${path}.${name}`),
    );
    assert.ok(places.includes('routes.selector'), places.join());
    const tables = fieldTables.filter(({ path }) => path.includes('selector'));
    assert.deepEqual(
      tables.map(({ path, alsoAt = [] }) => [path, ...alsoAt].toSorted()),
      [places.toSorted(), places.map((place) => `${place}.matchExpressions[]`).toSorted()],
    );
  });

  it('has an example with every field in it', () => {
    const example: unknown = parseDocument(exampleConfiguration).toJS();
    const paths = pathsOf(example);
    for (const { path, fields } of fieldTables) {
      for (const name of Object.keys(fields)) {
        assert.ok(paths.has(path === '' ? name : `${path}.${name}`), `${path}.${name}`);
      }
    }
  });

  const cases = [
    { text: '', want: [/^c.yaml:1: expected a map, found nothing$/] },
    { text: '- a', want: [/^c.yaml:1: expected a map, found a list$/] },
    { text: 'secret', want: [/^c.yaml:1: expected a map, found a string$/] },
    {
      text: 'apiVersion: v1\nkind: Secret\ndata: {password: hunter2}\n',
      want: [
        /:1: apiVersion: must be tandem.dev/,
        /:2: kind: must be/,
        /:3: unknown field data; known/,
      ],
    },
    { text: `${head}kind: ManagerConfiguration\n`, want: [/:3: kind appears twice/] },
    { text: `${head}1: 2\n`, want: [/:3: a field name is not a string/] },
    {
      text: `${head}nodeIPPolicies: {}\n`,
      want: [/:3: nodeIPPolicies: expected a list, found a map/],
    },
    {
      text: `${head}nodeIPPolicies: [a]\n`,
      want: [/:3: nodeIPPolicies\[0\]: expected a map, found a string/],
    },
    {
      text: policy(''),
      want: [/\[0\]: name is missing/, /\[0\]: selector is missing/, /\[0\]: request is missing/],
    },
    {
      text: policy('name: 7, selector: [], request: [], overridesKubelet: "yes", requests: 1'),
      want: [
        /unknown field requests; known fields: name, selector, request, overridesKubelet/,
        /\[0\].name: expected a string, found the number 7; put it in quotes/,
        /\[0\].selector: expected a map, found a list/,
        /\[0\].request: expected a string, found a list/,
        /\[0\].overridesKubelet: expected true or false, found a string/,
      ],
    },
    { text: policy('name: " ", selector: {}, request: IPv4'), want: [/name: must not be empty/] },
    {
      text: `${policy('name: a, selector: {}, request: IPv4')}- {name: a, selector: {}, request: IPv6}\n`,
      want: [/:5: nodeIPPolicies\[1\].name: "a" is already used on line 4/],
    },
    {
      text: policy('name: a, selector: {}, request: ipv4'),
      want: [/:4: nodeIPPolicies\[0\].request: InvalidSyntax: Request "ipv4" is neither/],
    },
    {
      text: policy('name: a, selector: {}, request: ""'),
      want: [/request: InvalidSyntax: The request is empty/],
    },
    {
      text: policy('name: a, selector: {}, request: "IPv4,10.0.0.1"'),
      want: [/request: SameFamilyPair: /],
    },
    {
      text: selector('matchLabels: {a b: c}'),
      want: [/matchLabels\["a b"\]: "a b" is not a valid label key/],
    },
    { text: selector('matchLabels: {a: c d}'), want: [/"c d" is not a valid label value/] },
    {
      text: selector('matchLabels: {a: true}'),
      want: [/\["a"\]: expected a string, found the boolean true; put it in quotes/],
    },
    { text: selector('matchLabels: {a: b, a: c}'), want: [/a appears twice/] },
    { text: selector('matchLabels: [a]'), want: [/matchLabels: expected a map, found a list/] },
    { text: selector('matchLabels: {UPPER/a: b}'), want: [/is not a valid label key/] },
    {
      text: selector('matchFields: []'),
      want: [/unknown field matchFields; known fields: matchLabels, matchExp/],
    },
    {
      text: expression('key: a, operator: in, values: [b]'),
      want: [/operator: "in" is not one of In, NotIn/],
    },
    {
      text: expression('key: a, operator: In'),
      want: [/matchExpressions\[0\]: In requires values/],
    },
    {
      text: expression('key: a, operator: NotIn, values: []'),
      want: [/NotIn requires at least one/],
    },
    {
      text: expression('key: a, operator: Exists, values: [b]'),
      want: [/Exists does not accept values/],
    },
    { text: expression('operator: Exists'), want: [/matchExpressions\[0\]: key is missing/] },
    { text: expression('key: -a, operator: Exists'), want: [/key: "-a" is not a valid label key/] },
    { text: `${head}excludeCIDRs:\n- {}\n`, want: [/:4: excludeCIDRs\[0\]: cidr is missing/] },
    {
      text: `${head}excludeCIDRs:\n- {cidr: 10.0.0.1}\n`,
      want: [/excludeCIDRs\[0\].cidr: "10.0.0.1" has no prefix/],
    },
    { text: `${head}excludeCIDRs:\n- {cidr: 10.0.0.1/8}\n`, want: [/the network is 10.0.0.0\/8/] },
    {
      text: `${head}excludeCIDRs:\n- {cidr: 10.0.0.0/8, type: Internal, reason: 1}\n`,
      want: [/type: "Internal" is not one of/, /reason: expected a string/],
    },
    { text: `${head}vips: {apiVIPs: [10.0.0.5]}\n`, want: [/:3: vips.apiVIPs: /] },
    {
      text: `${head}vips:\n  apiVIP: 10.0.0.5\n  apiVIPs:\n  - 10.0.0.5\n  - 10.0.0.x\n`,
      want: [/:7: vips.apiVIPs\[1\]: "10.0.0.x" is not an IP address/],
    },
    {
      text: `${head}vips:\n  ingressVIP: 10.0.0.5\n  machineNetworks:\n  - 10.1.0.0/16\n`,
      want: [/vips.ingressVIP: 10.0.0.5 is not in any of the machineNetworks/],
    },
    {
      text: `${head}vips: {apiVIP: 10}\n`,
      want: [/vips.apiVIP: expected a string, found the number 10/],
    },
  ];
  for (const { text, want } of cases) {
    it(`is refused with the line and the path of the field: ${JSON.stringify(text.replace(head, '')).slice(0, 70)}`, () => {
      const { problems } = parse(text);
      assert.equal(problems.length, want.length, problems.join('\n'));
      for (const pattern of want) {
        assert.ok(
          problems.some((problem) => pattern.test(problem)),
          `${pattern}\n${problems.join('\n')}`,
        );
      }
    });
  }

  it('may use anchors, and problems have the line of the alias', () => {
    const text = `${head}nodeIPPolicies:\n- {name: &n a, selector: &s {}, request: IPv4}\n- {name: b, selector: *s, request: *n}\n`;
    const { policies, problems } = parse(text);
    assert.equal(policies.length, 1);
    assert.match(problems.join(), /^c.yaml:5: nodeIPPolicies\[1\].request: InvalidSyntax/);
  });

  const notYaml = [
    'token: "hunter2',
    'a: hunter2\n\tb: c',
    'a: [hunter2',
    'a: b: hunter2',
    '@hunter2',
    'a: *hunter2',
    '--- a\n--- hunter2',
    'key: hunter2\n  bad: indent',
    '"\\q hunter2"',
    '!!hunter2 %',
    'a: ][!!hunter2',
    '%YAML hunter2"',
    '!!binary hunter2',
    '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----',
  ];
  for (const text of notYaml) {
    it(`that is not a configuration is refused without quoting it: ${JSON.stringify(text)}`, () => {
      const { problems } = parse(text);
      assert.ok(problems.length > 0);
      for (const problem of problems) assert.match(problem, /^c.yaml:\d+: /);
      assert.doesNotMatch(problems.join('\n'), /hunter2/);
    });
  }

  it('is refused when any field has the wrong kind, with the path of that field', () => {
    for (const { path, fields } of fieldTables) {
      for (const name of Object.keys(fields)) {
        const where = path === '' ? name : `${path}.${name}`;
        const broken = withWrongKind(where);
        const { problems } = parse(JSON.stringify(broken));
        const place = where.replaceAll('[]', '[0]').replaceAll(/[.[\]]/g, String.raw`\$&`);
        assert.match(problems.join('\n'), new RegExp(`: ${place}: `), where);
      }
    }
  });

  it('never makes the parser throw', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        ...head.split('\n'),
        'vips:',
        ' - &a',
        ' - *a',
        'nodeIPPolicies:',
        '- {',
        ' a: |',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { problems } = parse(lines.join('\n'));
        for (const problem of problems) assert.match(problem, /^c.yaml:\d+: [ -~…]+$/);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        parse(text);
      }),
    );
  });

  it('is refused when it is too large or has too many entries', async () => {
    const large = await readConfiguration({
      path: 'c.yaml',
      readFile: () => Promise.resolve('#'.repeat(textLengthMax + 1)),
      gates,
    });
    assert.match(large.problems.join(), /^c.yaml: the file is longer than 1048576 characters$/);
    const many = `${head}excludeCIDRs: [${'a,'.repeat(1001)}]`;
    assert.match(
      parse(many).problems.join(),
      /excludeCIDRs: too many entries; at most 1000 are allowed/,
    );
  });

  it('is refused with the first fifty problems and the number of further ones', () => {
    const { problems } = parse(`${head}excludeCIDRs: [${'a,'.repeat(70)}]`);
    assert.equal(problems.length, 51);
    assert.equal(problems.at(-1), 'c.yaml: 20 more problems');
  });
});

/** Returns the paths of all parts of a value, such as `a`, `a.b` and `a[].c`. */
function pathsOf(value: unknown, path = ''): Set<string> {
  if (Array.isArray(value)) {
    return new Set(value.flatMap((item) => [...pathsOf(item, `${path}[]`)]));
  }
  if (typeof value !== 'object' || value === null) return new Set([path]);
  const below = Object.entries(value).flatMap(([name, item]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...pathsOf(item, at)];
  });
  return new Set(below);
}

/** Returns the example with the field at the path replaced by a value that no field accepts. */
function withWrongKind(path: string): unknown {
  const example = parseDocument(exampleConfiguration).toJS() as FieldTable;
  let at: unknown = example;
  const steps = path.replaceAll('[]', '.0').split('.');
  // The expressions of the example are in its second policy.
  if (path.includes('matchExpressions')) steps[1] = '1';
  const last = steps.pop() ?? '';
  for (const step of steps) at = (at as Record<string, unknown>)[step];
  (at as Record<string, unknown>)[last] = 42;
  if (steps[1] === '1') {
    const { nodeIPPolicies } = example as unknown as { nodeIPPolicies: unknown[] };
    nodeIPPolicies.reverse();
  }
  return example;
}
