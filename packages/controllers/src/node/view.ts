/**
 * The contents of `/statusz/nodes`. It decides nothing: the page shows exactly what the controller used.
 */
import type { NodeSettings, RouteRules } from '@tandem/core/node-init';
import {
  type CloudView,
  type NodeView,
  type PlannedView,
  showSettings,
  type ReportView,
  type View,
} from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { Claims } from './claims.ts';
import { stateOf } from './count-states.ts';
import type { CloudNodeRecord } from './node-state.ts';

export interface NodesViewParts {
  readonly nodes: { get(name: string): NodeProjection | undefined };
  readonly lookup: Pick<InstanceLookup, 'providerName' | 'recall' | 'owns' | 'isNotOurs'>;
  readonly claims: Pick<Claims, 'claimants'>;
  readonly settings: NodeSettings;
  readonly managedRoutes: RouteRules | undefined;
  readonly mode: 'write' | 'dryRun';
  /** Wall clock minus monotonic clock. */
  readonly wallOffsetMs: number;
}

export function nodesView(
  parts: NodesViewParts,
  records: Iterable<CloudNodeRecord>,
): View<'nodes'> {
  const { settings, managedRoutes: routes, mode, lookup } = parts;
  return {
    summary: {
      provider: lookup.providerName,
      mode,
      settings: showSettings({ settings, routes }),
    },
    entries: Array.from(records).flatMap((record) => {
      const node = parts.nodes.get(record.name);
      if (node?.uid !== record.uid) return [];
      return [{ key: record.name, item: () => viewOf(parts, record, node) }];
    }),
  };
}

function viewOf(parts: NodesViewParts, record: CloudNodeRecord, node: NodeProjection): NodeView {
  const { lookup, claims, wallOffsetMs } = parts;
  const { state } = record;
  const cloud = cloudOf(parts, record, node);
  const found = cloud?.kind === 'found' ? cloud.instance.providerID : '';
  return {
    name: node.name,
    uid: node.uid,
    resourceVersion: node.resourceVersion,
    state: stateOf(node, record.report),
    request: state.decision?.request ?? null,
    requestChanged: timeOf(state.requestChangedAtMs + wallOffsetMs),
    cloud,
    ownProviderIDs: [...new Set([node.providerID, found])].filter(
      (providerID) => providerID !== '' && lookup.owns({ providerID }),
    ),
    isNotOurs: lookup.isNotOurs(node),
    rivals: claims.claimants(record),
    planned: plannedOf(record),
    standing: reportOf(record),
  };
}

/** The controller's answer while one is needed, else the instance that the look-up remembers. */
function cloudOf(
  { lookup, wallOffsetMs }: NodesViewParts,
  { state }: CloudNodeRecord,
  node: NodeProjection,
): CloudView | null {
  const answer = state.answer?.answer ?? null;
  const known = answer ?? foundOf(lookup.recall(node));
  if (known === null) return null;
  const asOf = timeOf(known.asOfMs + wallOffsetMs);
  switch (known.kind) {
    case 'found': {
      const { key: _, ...instance } = { key: '', state: '', ...known.instance };
      return { kind: 'found', asOf, instance };
    }
    case 'unknown':
      return { kind: 'unknown', asOf, reason: known.reason };
    default:
      return { kind: known.kind, asOf };
  }
}

function foundOf(
  recalled: ReturnType<InstanceLookup['recall']>,
): ({ readonly kind: 'found' } & NonNullable<typeof recalled>) | null {
  return recalled === undefined ? null : { kind: 'found', ...recalled };
}

function plannedOf({ state }: CloudNodeRecord): PlannedView | null {
  const { decision } = state;
  if (decision === undefined) return null;
  const { atMs, actions, outcome, stack } = decision;
  return {
    at: timeOf(atMs),
    actions: actions.map(({ kind, reason }) => ({ kind, reason: reason() })),
    outcome: outcome.kind === 'refused' ? { kind: 'refused', ...outcome.refusal } : outcome,
    stack,
  };
}

function reportOf({ report, reportSinceMs }: CloudNodeRecord): ReportView | null {
  if (report === undefined) return null;
  const { reason, message, isRefusal } = report;
  return { reason, message, isRefusal, since: timeOf(reportSinceMs) };
}

function timeOf(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
