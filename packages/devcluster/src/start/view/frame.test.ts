import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { aRow } from '../board/row.fixture.ts';
import { layOutFrame, type ViewState } from './frame.ts';
import { textOf } from './line.ts';
import { suggestions } from './suggestions.ts';

function aViewState(count: number, viewState: Partial<ViewState> = {}): ViewState {
  return {
    rows: Array.from({ length: count }, (_, index) =>
      aRow({
        node: `node-${String(index).padStart(2, '0')}`,
        state: index % 3 ? 'ready' : 'refused',
      }),
    ),
    pools: [],
    routes: [],
    changedAt: () => 0,
    fresh: new Set(),
    progress: { done: 3, total: 30, differing: 27, elapsedMs: 1_234, tookMs: undefined },
    kubeconfig: '/tmp/tandem-start-abc123/kubeconfig',
    warnings: [],
    ...viewState,
  };
}

/** Adds the nodes that the suggestions are about. */
function anInviting(viewState: ViewState): ViewState {
  return {
    ...viewState,
    rows: [...viewState.rows, ...suggestions.map(({ node }) => aRow({ node }))],
  };
}

function framed(viewState: ViewState, columns: number, lines: number): string[] {
  return layOutFrame(viewState, { columns, lines }).map(textOf);
}

describe('the screen', () => {
  it('fits any terminal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 220 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.string(), { maxLength: 3 }),
        (count, columns, lines, warnings) => {
          const texts = framed(aViewState(count, { warnings }), columns, lines);
          assert.ok(texts.length <= lines);
          for (const text of texts) assert.ok(text.length < Math.max(columns, 2));
        },
      ),
    );
  });

  it('has all rows, the kubeconfig and the suggestions where there is room', () => {
    const text = framed(anInviting(aViewState(30)), 120, 45).join('\n');
    assert.match(text, /33 nodes: 3 waiting, 20 ready, 10 refused/);
    assert.equal(text.match(/^node-\d\d /gm)?.length, 30);
    assert.match(text, /^export KUBECONFIG=\/tmp\/tandem-start-abc123\/kubeconfig$/m);
    for (const { command, shows } of suggestions)
      assert.ok(text.includes(`${command} `) && text.includes(shows));
  });

  for (const columns of [60, 80]) {
    it(`cuts no command and no kubeconfig at ${columns} columns`, () => {
      const lines = framed(anInviting(aViewState(30)), columns, 48).map((line) => line.trim());
      assert.ok(lines.includes('export KUBECONFIG=/tmp/tandem-start-abc123/kubeconfig'));
      for (const { command } of suggestions) assert.ok(lines.includes(command), command);
    });
  }

  it('suggests nothing about missing nodes', () => {
    const text = framed(aViewState(0), 120, 45).join('\n');
    assert.match(text, /embedded cluster {3}no nodes$/m);
    assert.match(text, /^Ctrl-C here stops everything$/m);
    assert.doesNotMatch(text, /kubectl/);
  });

  it('shows the rows that changed last on a low terminal, and counts the others', () => {
    const changedAt = (node: string): number =>
      node === 'node-17' ? 9 : node === 'node-02' ? 8 : 0;
    const fresh = new Set(['node-17', 'node-02']);
    const texts = framed(aViewState(30, { changedAt, fresh }), 120, 14);
    assert.ok(texts.some((text) => text.startsWith('node-17')));
    assert.ok(texts.some((text) => text.startsWith('node-02')));
    const shown = texts.filter((text) => text.startsWith('node-')).length;
    assert.ok(texts.some((text) => text.startsWith(`… and ${30 - shown} more: `)));
  });

  it('shows refusals and the row that changed last when there is room for little else', () => {
    const changedAt = (node: string): number => (node === 'node-17' ? 9 : 0);
    const texts = framed(aViewState(30, { changedAt }), 120, 18).join('\n');
    assert.match(texts, /^node-17 .* ready/m);
    assert.equal(texts.match(/^node-\d\d .* refused/gm)?.length, 10);
  });

  const range = { cidr: '10.0.0.0/24', inDoubt: 0, excluded: 0 };
  const pools = [
    { name: 'a', waiting: 0, ranges: [{ ...range, capacity: 256, bound: 30, free: 226 }] },
    {
      name: 'b',
      waiting: 2,
      ranges: [
        { ...range, capacity: 4, bound: 4, free: 0 },
        { ...range, cidr: 'fd00::/48', capacity: 65536, bound: 5, free: 65531, inDoubt: 1 },
      ],
    },
  ];

  it('has a line for each pool where there is room for all rows', () => {
    const texts = framed(aViewState(30, { pools }), 120, 45);
    assert.deepEqual(
      texts.filter((text) => text.startsWith('Pool ')),
      [
        'Pool a: 30 of 256 bound in 10.0.0.0/24',
        'Pool b: 4 of 4 bound in 10.0.0.0/24, 5 of 65536 in fd00::/48 (1 in doubt), 2 nodes wait',
      ],
    );
  });

  it('sums up the pools beside the count of omitted rows, by the scarcest range of each', () => {
    const [line] = framed(aViewState(30, { pools }), 80, 24).filter((text) => text.startsWith('…'));
    assert.match(line ?? '', / {3}Pod CIDRs: 34 of 260 bound, 2 nodes wait$/);
  });

  it('sums up the pools wherever it has no room for their lines', () => {
    for (let lines = 10; lines <= 45; lines++) {
      const text = framed(aViewState(30, { pools }), 120, lines).join('\n');
      assert.match(text, /Pod CIDRs: 34 of 260 bound|^Pool a: .*\nPool b: /m, `${lines} lines`);
      assert.ok(text.split('\n').length <= lines);
    }
  });

  it('counts routes beside the progress, also at 80×24, and has a line for each table where there is room', () => {
    const routes = [{ table: 'main', IPv4: 9, IPv6: 8 }];
    const low = framed(aViewState(30, { pools, routes }), 80, 24);
    assert.match(low[1] ?? '', / 3 of 30 as expected, 1\.2 s {3}17 routes$/);
    const high = framed(aViewState(30, { pools, routes }), 120, 45);
    assert.ok(high.includes('Routes in table main: 9 IPv4, 8 IPv6'));
    const converged = { done: 30, total: 30, differing: 12, elapsedMs: 9_999, tookMs: 15_300 };
    const [, status = ''] = framed(aViewState(30, { routes, progress: converged }), 80, 24);
    assert.equal(
      status,
      'Converged in 15.3 s: 12 of 30 nodes are no longer as expected   17 routes',
    );
  });

  it('shows the progress until the cluster has converged, and then how long that took', () => {
    const [, before = ''] = framed(aViewState(30), 120, 45);
    assert.match(before, /^█{3}░{27} 3 of 30 as expected, 1\.2 s$/);
    const converged = { done: 30, total: 30, differing: 0, elapsedMs: 9_999, tookMs: 5_300 };
    const after = (differing: number): string | undefined =>
      framed(aViewState(30, { progress: { ...converged, differing } }), 120, 45)[1];
    assert.equal(after(0), 'Converged in 5.3 s: all 30 nodes are as expected');
    assert.equal(after(1), 'Converged in 5.3 s: 1 of 30 nodes is no longer as expected');
    assert.equal(after(2), 'Converged in 5.3 s: 2 of 30 nodes are no longer as expected');
  });

  it('shows the last warnings of the manager', () => {
    assert.match(
      framed(aViewState(3, { warnings: ['watch lost'] }), 80, 45).join('\n'),
      /^! watch lost$/m,
    );
  });
});
