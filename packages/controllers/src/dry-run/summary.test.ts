import assert from 'node:assert/strict';
import type { Forecast } from './forecast.ts';
import { type Ending, summarise, summaryText } from './summary.ts';

const decided = (node: string, ...actions: string[]): Forecast => ({
  kind: 'decided',
  node,
  actions,
});
const refused = (node: string, reason: string): Forecast => ({
  kind: 'decided',
  node,
  actions: [],
  reason,
});

describe('the summary of a dry run', () => {
  const cases: {
    name: string;
    forecasts: readonly Forecast[] | undefined;
    ending?: Ending;
    result: string;
    text: string;
  }[] = [
    {
      name: 'says that nothing would change',
      forecasts: [decided('a'), decided('b'), decided('b')],
      result: 'unchanged',
      text: 'Dry run: 0 of 2 nodes would change\n',
    },
    {
      name: 'covers an empty cluster',
      forecasts: [],
      result: 'unchanged',
      text: 'Dry run: 0 of 0 nodes would change\n',
    },
    {
      name: 'counts a refusal as no change, and names its code',
      forecasts: [
        refused('a', 'NoAddressOfFamily'),
        refused('b', 'Paused'),
        refused('c', 'DeletionHeld'),
      ],
      result: 'unchanged',
      text: `Dry run: 0 of 3 nodes would change
  would be held by the deletion brake  1: c
  would be refused: NoAddressOfFamily  1: a
  paused, would not change             1: b
`,
    },
    {
      name: 'counts a node once, and each of its writes by any controller',
      forecasts: [
        decided('b', 'writeAddresses', 'initialise'),
        decided('a', 'writeAddresses'),
        decided('b', 'addShutdownTaint'),
        decided('c', 'deleteNode'),
      ],
      result: 'wouldChange',
      text: `Dry run: 3 of 3 nodes would change
  would add the shutdown taint  1: b
  would delete                  1: c
  would initialise              1: b
  would write addresses         2: a, b
`,
    },
    {
      name: 'has no result while one node is undecided, but lists what is known',
      forecasts: [
        decided('a', 'initialise'),
        { kind: 'unknown', node: 'b' },
        { kind: 'pending', node: 'c' },
      ],
      result: 'unknown',
      text: `Dry run: 1 of 3 nodes would change; 2 unknown
  would initialise          1: a
  no answer from the cloud  1: b
  not decided in time       1: c
`,
    },
    {
      name: 'counts routes in all tables as changes, and names each destination once',
      forecasts: [
        refused('a', 'RouteTableFull'),
        decided('b', 'clearNetworkCondition'),
        {
          kind: 'routes',
          answer: 'listed',
          changes: [
            { kind: 'create', table: 'main', destination: 'fd00::/64' },
            { kind: 'create', table: 'zone', destination: 'fd00::/64' },
            { kind: 'create', table: 'main', destination: '10.0.0.0/24' },
            { kind: 'delete', table: 'main', destination: '10.0.9.0/24' },
          ],
        },
      ],
      result: 'wouldChange',
      text: `Dry run: 1 of 2 nodes would change, 4 routes would change
  would mark as routed                1: b
  would get no route: RouteTableFull  1: a
  would create routes                 3: 10.0.0.0/24, fd00::/64
  would delete routes                 1: 10.0.9.0/24
`,
    },
    {
      name: 'counts a route without any node as a change',
      forecasts: [
        {
          kind: 'routes',
          answer: 'listed',
          changes: [{ kind: 'delete', table: 'main', destination: '10.0.9.0/24' }],
        },
      ],
      result: 'wouldChange',
      text: `Dry run: 0 of 0 nodes would change, 1 routes would change
  would delete routes  1: 10.0.9.0/24
`,
    },
    {
      name: 'says that no route would change',
      forecasts: [decided('a'), { kind: 'routes', answer: 'listed', changes: [] }],
      result: 'unchanged',
      text: 'Dry run: 0 of 1 nodes would change, 0 routes would change\n',
    },
    {
      name: 'has no result without a list of routes',
      forecasts: [decided('a'), { kind: 'routes', answer: 'unknown', changes: [] }],
      result: 'unknown',
      text: `Dry run: 0 of 1 nodes would change, routes unknown
  no list of routes from the cloud
`,
    },
    {
      name: 'says why there is no list of routes, even if only that list is missing',
      forecasts: [
        decided('a'),
        { kind: 'routes', answer: 'unknown', reason: 'EC2 answers AuthFailure', changes: [] },
      ],
      result: 'unknown',
      text: `Dry run: 0 of 1 nodes would change, routes unknown
  no list of routes from the cloud: EC2 answers AuthFailure
`,
    },
    {
      name: 'counts a node once that two controllers did not decide about',
      forecasts: [decided('a'), { kind: 'unknown', node: 'b' }, { kind: 'pending', node: 'b' }],
      result: 'unknown',
      text: `Dry run: 0 of 2 nodes would change; 1 unknown
  no answer from the cloud  1: b
`,
    },
    {
      name: 'has no result without a list of nodes, and says why there is none',
      forecasts: undefined,
      ending: { missing: { what: 'the list of nodes', reason: 'the API server answers 503' } },
      result: 'unknown',
      text: 'Dry run: result unknown. The manager did not get the list of nodes: the API server answers 503.\n',
    },
    {
      name: 'has no result without a cloud provider',
      forecasts: undefined,
      ending: { missing: { what: 'the cloud provider', reason: undefined } },
      result: 'unknown',
      text: 'Dry run: result unknown. The cloud provider was not ready in time.\n',
    },
    {
      name: 'names the failure that ended the look before there was a list of nodes',
      forecasts: undefined,
      ending: {
        missing: { what: 'the list of nodes', reason: 'less than the failure' },
        failure: 'Only 401.',
      },
      result: 'unknown',
      text: 'Dry run: result unknown. The manager did not get the list of nodes: Only 401.\n',
    },
    {
      name: 'names the failure that ended the look before all nodes were decided',
      forecasts: [decided('a'), { kind: 'pending', node: 'b' }],
      ending: { failure: 'Only 401.' },
      result: 'unknown',
      text: `Dry run: 0 of 2 nodes would change; 1 unknown
  not decided in time  1: b
Reason: Only 401.
`,
    },
  ];
  for (const { name, forecasts, ending, result, text } of cases) {
    it(name, () => {
      const summary = summarise(forecasts, ending);
      assert.deepEqual([summary.result, summaryText(summary)], [result, text]);
    });
  }

  it('names twenty nodes and counts the rest', () => {
    const forecasts = Array.from({ length: 25 }, (_, index) => decided(`n${10 + index}`, 'x'));
    assert.match(summaryText(summarise(forecasts)), /would x {2}25: n10, .*n29 and 5 more\n$/);
  });
});
