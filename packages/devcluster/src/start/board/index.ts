export { Board, type BoardSources, type RowChange } from './board.ts';
export { hasUninitializedTaint, type NodeSources, readRow } from './read-row.ts';
export type { Row, RowState } from './row.ts';
export { noProblems, type NodeProblem, type NodeProblems, withEvent } from './node-problems.ts';
