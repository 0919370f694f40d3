/**
 * The plan for a node, made from the node and from the manager's pages. It calls the same `planNode` with the same
 * input, so readers of these pages reach the manager's own decision.
 */
import { findRequest, type SourcedRequest } from '../node-address/index.ts';
import { type CloudAnswer, type NodeFacts, type NodePlan, planNode } from '../node-init/index.ts';
import type { CloudView, NodeView } from './node-view.ts';
import type { PlanSettings } from './settings-view.ts';

/**
 * The node may be newer than the manager's view. Older answers do not decide about a request that
 * it has not seen.
 */
export function planFromView(
  node: NodeFacts,
  view: NodeView,
  { settings, routes }: PlanSettings,
): NodePlan {
  const isSeen = isSameRequest(findRequest(node, settings.policies), view.request);
  return planNode({
    node,
    owns: (providerID) => view.ownProviderIDs.includes(providerID),
    rivals: view.rivals,
    answer: view.cloud === null ? null : answerOf(view.cloud),
    isNotOurs: view.isNotOurs,
    requestChangedAtMs: isSeen ? Date.parse(view.requestChanged) : Number.POSITIVE_INFINITY,
    settings,
    routes,
  });
}

function answerOf({ asOf, ...answer }: CloudView): CloudAnswer {
  const asOfMs = Date.parse(asOf);
  switch (answer.kind) {
    case 'found':
      return { kind: 'found', instance: answer.instance, asOfMs };
    case 'unknown':
      return { kind: 'unknown', reason: answer.reason, asOfMs };
    case 'absent':
    case 'notOurs':
      return { kind: answer.kind, asOfMs };
  }
}

function isSameRequest(a: SourcedRequest | null, b: SourcedRequest | null): boolean {
  return a?.value === b?.value && a?.source === b?.source;
}
