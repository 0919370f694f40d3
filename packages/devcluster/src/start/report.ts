/** The outcome of `--once`: as sentences for people, or as one JSON object. */
import { isAsExpected } from './differences.ts';
import type { Row } from './board/index.ts';
import type { Difference } from './differences.ts';
import type { Machine } from './machines/index.ts';
import { convergedText } from './view/index.ts';
import type { Pool, RouteCount } from './demo/index.ts';

export interface Outcome {
  readonly seed: string;
  /** Undefined where the cluster did not converge in time. */
  readonly tookMs: number | undefined;
  readonly machines: readonly Machine[];
  readonly rows: readonly Row[];
  readonly pools: readonly Pool[];
  readonly routes: readonly RouteCount[];
  readonly differences: readonly Difference[];
}

export function outcomeSentences({ tookMs, machines, differences }: Outcome): readonly string[] {
  if (tookMs !== undefined)
    return [convergedText({ tookMs, total: machines.length, differing: 0 })];
  const nodes = differences.length === 1 ? '1 node is' : `${differences.length} nodes are`;
  return [
    `Not converged: ${nodes} not as expected`,
    ...differences.map(({ node, message }) => `  ${node}: ${message}`),
  ];
}

export function outcomeJson(outcome: Outcome): string {
  const { seed, tookMs, machines, rows, pools, routes, differences } = outcome;
  const byName = new Map(machines.map((machine) => [machine.name, machine]));
  const nodes = rows.map((row) => {
    const machine = byName.get(row.node);
    return {
      ...row,
      group: machine?.group ?? null,
      expected: machine?.expected ?? null,
      expectedPodCIDRs: machine?.expectedPodCIDRs ?? null,
      isAsExpected: machine === undefined ? null : isAsExpected(row, machine),
    };
  });
  const converged = tookMs !== undefined;
  const all = { converged, tookMs: tookMs ?? null, seed, differences, nodes, pools, routes };
  return `${JSON.stringify(all, null, 2)}\n`;
}
