export type { Finding, NodeFinding, RoutesFinding } from './finding.ts';
export { type Missing, OneLook } from './one-look.ts';
export { type Summary, summarise, summaryText } from './summary.ts';
