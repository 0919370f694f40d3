export type { Finding, NodeFinding, RouteChange, RoutesFinding } from './finding.ts';
