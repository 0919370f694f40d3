/** A row with defaults; a test passes what matters to it. */
import type { Row } from './row.ts';

export function aRow(row: Partial<Row> = {}): Row {
  return {
    node: 'node-1',
    nodeIP: null,
    asked: null,
    got: [],
    stack: null,
    podCIDRs: [],
    podCIDRProblem: null,
    state: 'waiting',
    code: null,
    why: '',
    ...row,
  };
}
