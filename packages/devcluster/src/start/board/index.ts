export { Board, type RowChange } from './board.ts';
export { hasUninitializedTaint } from './read-row.ts';
export type { Row, RowState } from './row.ts';
