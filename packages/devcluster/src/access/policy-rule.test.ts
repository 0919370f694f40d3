import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Attributes } from './access.ts';
import {
  describeRule,
  permits,
  type PolicyRule,
  readPolicyRule,
  uncovered,
} from './policy-rule.ts';

const rule = (over: Partial<PolicyRule>): PolicyRule => readPolicyRule({ ...over });

const nodes: Attributes = {
  kind: 'resource',
  verb: 'get',
  group: '',
  resource: 'nodes',
  subresource: '',
  namespace: '',
  name: 'n',
};

const cases: readonly [name: string, given: Partial<PolicyRule>, want: boolean][] = [
  ['its verb, group and resource', { verbs: ['get'], apiGroups: [''], resources: ['nodes'] }, true],
  ['stars', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, true],
  ['another verb', { verbs: ['list'], apiGroups: [''], resources: ['nodes'] }, false],
  ['another group', { verbs: ['get'], apiGroups: ['apps'], resources: ['nodes'] }, false],
  ['a part of it', { verbs: ['get'], apiGroups: [''], resources: ['nodes/status'] }, false],
  [
    'its name',
    { verbs: ['get'], apiGroups: [''], resources: ['nodes'], resourceNames: ['m', 'n'] },
    true,
  ],
  [
    'another name',
    { verbs: ['get'], apiGroups: [''], resources: ['nodes'], resourceNames: ['m'] },
    false,
  ],
  ['paths', { verbs: ['get'], nonResourceURLs: ['*'] }, false],
];

describe('a rule of a role', () => {
  for (const [name, given, want] of cases) {
    it(`with ${name} ${want ? 'permits' : 'does not permit'} to get a node`, () => {
      assert.equal(permits(rule(given), nodes), want);
    });
  }

  it('is told in the words of the refusal', () => {
    const told = describeRule(rule({ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }));
    assert.equal(told, '{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}');
  });

  it('may be given away exactly when nothing is permitted by it that the owner may not do', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 3 }), anyRule, (owned, given) => {
        const isCovered = uncovered(owned, [given]).length === 0;
        const mayOwner = (asked: Attributes): boolean => owned.some((own) => permits(own, asked));
        const more = questions.filter((asked) => permits(given, asked) && !mayOwner(asked));
        if (isCovered) assert.deepEqual(more, []);
        // A star stands for things that nobody has thought of, which single ones never add up to.
        else if (!hasStar(given)) assert.notDeepEqual(more, []);
      }),
    );
  });
});

const words = {
  verbs: ['get', 'list'],
  apiGroups: ['', 'apps'],
  resources: ['nodes', 'nodes/status'],
  resourceNames: ['m', 'n'],
  nonResourceURLs: ['/a', '/a/b'],
};

function some(values: readonly string[], more: readonly string[]): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.constantFrom(...values, ...more), { minLength: 1, maxLength: 2 });
}

const anyRule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc
    .record({
      verbs: some(words.verbs, ['*']),
      apiGroups: some(words.apiGroups, ['*']),
      resources: some(words.resources, ['*', '*/status']),
      resourceNames: fc.oneof(fc.constant([]), some(words.resourceNames, [])),
    })
    .map(rule),
  fc
    .record({
      verbs: some(words.verbs, ['*']),
      nonResourceURLs: some(words.nonResourceURLs, ['/a*']),
    })
    .map(rule),
);

function hasStar({
  verbs,
  apiGroups,
  resources,
  nonResourceURLs,
  resourceNames,
}: PolicyRule): boolean {
  const isForAll = nonResourceURLs.length === 0 && resourceNames.length === 0;
  const texts = [...verbs, ...apiGroups, ...resources, ...nonResourceURLs];
  return isForAll || texts.some((text) => text.includes('*'));
}

/** Everything that can be asked in these words. */
const questions: readonly Attributes[] = words.verbs.flatMap((verb) => [
  ...words.apiGroups.flatMap((group) =>
    words.resources.flatMap((asked) =>
      [...words.resourceNames, ''].map((name): Attributes => {
        const [resource = '', subresource = ''] = asked.split('/');
        return { kind: 'resource', verb, group, resource, subresource, namespace: '', name };
      }),
    ),
  ),
  ...words.nonResourceURLs.map((path): Attributes => ({ kind: 'path', verb, path })),
]);
