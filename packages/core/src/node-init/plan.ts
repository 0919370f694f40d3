/**
 * The decision of the cloud-node-controller about one node. A plan is a list of writes that may be
 * interrupted at any point (P1: addresses, then the mark of a node that lacks routes, then
 * providerID, labels and the removal of the taint in one write), and the outcome to report after
 * them. A converged node gets no writes (P5). A node loses nothing because the cloud gave no answer
 * (P3). A node without the taint never gets a providerID: that is a part of the initialisation, as
 * in upstream.
 */
import { assert } from '../assert.ts';
import {
  type Explanation,
  isSameList,
  type NodeAddress,
  type Refusal,
  type Stack,
} from '../node-address/index.ts';
import {
  initialise,
  type NodeAction,
  writeAddresses,
  writeLabels,
  writeNetworkCondition,
} from './action.ts';
import { type AddressVerdict, judgeAddresses } from './address-verdict.ts';
import { type Claimant, findLostClaim, findOtherHolder } from './claim.ts';
import type { CloudAnswer, FoundAnswer } from './cloud-answer.ts';
import { type LabelPlan, planLabels } from './labels.ts';
import {
  foreignProviderID,
  instanceLookupFailed,
  instanceNotFound,
  providerIDConflict,
  sharedInstance,
  unusableProviderID,
} from './node-refusal-message.ts';
import {
  networkUnavailableTaint,
  planMark,
  type RouteRules,
  taintsInPlace,
} from './network-mark.ts';
import type { NodeRefusal } from './node-refusal.ts';
import { isInitialised, isPaused, type Labels, type NodeFacts, pausedAnnotation } from './node.ts';
import type { NodeSettings } from './settings.ts';

export interface NodePlanInput {
  readonly node: NodeFacts;
  /**
   * Whether a providerID belongs to this cloud, according to the provider. Never called with an
   * empty one.
   */
  readonly owns: (providerID: string) => boolean;
  /** Other nodes that claim the same instance, by their providerID or by an answer of the cloud. */
  readonly rivals: readonly Claimant[];
  /** Null if there is no answer. Some decisions need none. */
  readonly answer: CloudAnswer | null;
  /** Whether the last definite answer of the cloud was that the node is not its own. */
  readonly isNotOurs: boolean;
  /** When the node's request was last seen to change, on the clock of the answer's `asOfMs`. */
  readonly requestChangedAtMs: number;
  readonly settings: NodeSettings;
  /** Undefined if routes are not managed. */
  readonly routes: RouteRules | undefined;
}

export interface NodePlan {
  /** The actions in order. Each one requires that all earlier ones succeeded. */
  readonly actions: readonly NodeAction[];
  readonly outcome: NodeOutcome;
  /** The explanation of the addresses; null if they were not judged. */
  readonly explanation: Explanation | null;
  /**
   * The stack that consumers will see; null if no addresses were chosen, or none of them is an IP.
   */
  readonly stack: Stack | null;
  /** The message about sources that disagree (with the reason `requestsDifferReason`), or null. */
  readonly disagreement: string | null;
  /**
   * The message if another Node is initialised as the same instance (`ProviderIDConflict`), or
   * null.
   */
  readonly conflict: string | null;
  /** Additional remarks for `explain`. */
  readonly remarks: readonly string[];
}

/** The state of the node after the actions. */
export type NodeOutcome =
  /** The node needs no change. */
  | { readonly kind: 'settled' }
  /** The refusal lasts until something changes, and is reported (P6). */
  | { readonly kind: 'refused'; readonly refusal: Refusal | NodeRefusal }
  /** The plan needs an answer of the cloud. Plan again with the answer. */
  | { readonly kind: 'lookup'; readonly reason: string }
  /** An annotation pauses the node. */
  | { readonly kind: 'paused'; readonly reason: string }
  /** The cloud says that the node is not its own. It is left alone without a warning. */
  | { readonly kind: 'notOurs'; readonly reason: string };

export function planNode(input: NodePlanInput): NodePlan {
  const plan = findBar(input) ?? { ...planByAnswer(input), conflict: conflictOf(input) };
  assertSafe(input.node, plan.actions);
  return plan;
}

/** Returns the plan for a node that must not be changed, whatever the cloud answers. */
function findBar(input: NodePlanInput): NodePlan | undefined {
  const { node, owns, rivals, answer } = input;
  if (isPaused(node)) {
    return planOf({ kind: 'paused', reason: `${pausedAnnotation} is "true"; remove it to resume` });
  }
  if (node.providerID !== '' && !owns(node.providerID)) return refusing(foreignProviderID(node));
  if (isOthers(input)) return planOf(notOurs);
  const lost = findLostClaim({ ...node, isInitialised: isInitialised(node) }, rivals);
  if (lost === null) return undefined;
  const found = answer?.kind === 'found' ? answer.instance.providerID : '';
  return refusing(providerIDConflict(node.providerID || found, lost));
}

/** The message for the holder of an instance as which another Node is initialised, too. */
function conflictOf({ node, rivals }: NodePlanInput): string | null {
  const other = findOtherHolder({ ...node, isInitialised: isInitialised(node) }, rivals);
  return other === null ? null : sharedInstance(node.providerID, other);
}

function planByAnswer(input: NodePlanInput): NodePlan {
  const { node, answer } = input;
  if (answer === null) {
    return withoutInstance(node, lookup('the cloud has not answered about this node yet'));
  }
  switch (answer.kind) {
    case 'unknown':
      return refusedIfFresh(input, answer, instanceLookupFailed(node, answer.reason));
    case 'absent':
      return refusedIfFresh(input, answer, instanceNotFound(node));
    case 'found':
      return withInstance(input, answer);
    case 'notOurs':
      return planOf(notOurs);
  }
}

/** A failed look-up does not change which cloud owns the node. */
function isOthers({ answer, isNotOurs }: NodePlanInput): boolean {
  return answer?.kind === 'notOurs' || (answer?.kind === 'unknown' && isNotOurs);
}

/** An answer from before the request does not decide about it, so the cloud is asked again. */
function refusedIfFresh(
  { node, requestChangedAtMs }: NodePlanInput,
  answer: CloudAnswer,
  refusal: NodeRefusal,
): NodePlan {
  const isFresh = isAskedSince(requestChangedAtMs, answer);
  return withoutInstance(node, isFresh ? refused(refusal) : lookup(tooOld));
}

/** An answer of the same instant counts, because a request is seen later than it is made. */
function isAskedSince(requestChangedAtMs: number, { asOfMs }: CloudAnswer): boolean {
  return asOfMs >= requestChangedAtMs;
}

/** Pairs of labels are kept equal even without an instance. */
function withoutInstance(node: NodeFacts, outcome: NodeOutcome): NodePlan {
  if (!isInitialised(node)) return planOf(outcome);
  const labels = planLabels({ labels: node.labels, instance: null, onDifference: 'keep' });
  return planOf(outcome, { actions: actionsForLabels(labels) });
}

function withInstance(input: NodePlanInput, answer: FoundAnswer): NodePlan {
  const { node, settings } = input;
  const { instance } = answer;
  const isNew = !isInitialised(node);
  const providerID = node.providerID || instance.providerID;
  // A providerID cannot be changed, and with a foreign one no cloud would manage the node.
  if (isNew && (providerID === '' || !input.owns(providerID))) {
    return refusing(unusableProviderID(node, providerID));
  }

  const labels = planLabels({
    labels: node.labels,
    instance: isNew || settings.refreshLabels ? instance : null,
    onDifference: settings.refreshLabels ? 'overwrite' : 'keep',
  });
  const hasSelectors = settings.policies.length > 0 || input.routes?.selector !== undefined;
  const labelled = hasSelectors ? withLabels(node, labels.changes) : node;
  const verdict = judgeAddresses({
    node: labelled,
    cloud: instance.addresses,
    settings,
    isFresh: isAskedSince(input.requestChangedAtMs, answer),
  });
  const { remarks, changes } = labels;
  const actions = actionsForAddresses(node, verdict);
  // A refused request does not prevent label updates of an initialised node.
  if (!isNew) actions.push(...actionsForLabels(labels));
  else if (verdict.kind === 'resolved') {
    const { addresses } = verdict;
    const { routes: rules } = input;
    const mark = rules && planMark(labelled, { instance, addresses, rules });
    if (mark !== undefined) actions.push(writeNetworkCondition(mark));
    const taintsToAdd = rules === undefined ? [] : taintsInPlace(node, mark);
    actions.push(initialise(node, { addresses, providerID, labels: changes, taintsToAdd }));
  }
  return planOf(outcomeOf(verdict), { verdict, actions, remarks });
}

/** A selector may use labels of the cloud, so they count before they are stored. */
function withLabels(node: NodeFacts, changes: Labels): NodeFacts {
  return { ...node, labels: { ...node.labels, ...changes } };
}

function actionsForAddresses(node: NodeFacts, verdict: AddressVerdict): NodeAction[] {
  if (verdict.kind !== 'resolved' || isSameList(node.addresses, verdict.addresses)) return [];
  return [writeAddresses(node, verdict.addresses, verdict.explanation)];
}

function actionsForLabels({ changes }: LabelPlan): NodeAction[] {
  return Object.keys(changes).length === 0 ? [] : [writeLabels(changes)];
}

const settled: NodeOutcome = { kind: 'settled' };
const notOurs: NodeOutcome = {
  kind: 'notOurs',
  reason: 'the cloud says that the node is not its own',
};
const tooOld = "the cloud's answer is older than the request";

function outcomeOf(verdict: AddressVerdict): NodeOutcome {
  switch (verdict.kind) {
    case 'resolved':
      return settled;
    case 'refused':
      return refused(verdict.refusal);
    case 'stale':
      return lookup(tooOld);
  }
}

function refused(refusal: Refusal | NodeRefusal): NodeOutcome {
  return { kind: 'refused', refusal };
}

function lookup(reason: string): NodeOutcome {
  return { kind: 'lookup', reason };
}

function refusing(refusal: NodeRefusal): NodePlan {
  return planOf(refused(refusal));
}

interface PlanParts {
  readonly verdict?: AddressVerdict;
  readonly actions?: readonly NodeAction[];
  readonly remarks?: readonly string[];
}

function planOf(outcome: NodeOutcome, parts: PlanParts = {}): NodePlan {
  const { verdict, actions = [], remarks = [] } = parts;
  const judged = verdict === undefined || verdict.kind === 'stale' ? undefined : verdict;
  return {
    actions,
    outcome,
    explanation: judged?.explanation ?? null,
    stack: judged?.explanation.stack ?? null,
    disagreement: judged?.disagreement ?? null,
    conflict: null,
    remarks,
  };
}

/** Asserts P1 and P3 on every plan, and that pods are kept away from a node without a network. */
function assertSafe(node: NodeFacts, actions: readonly NodeAction[]): void {
  let stored: readonly NodeAddress[] = node.addresses;
  const marks = actions.filter(({ kind }) => kind === 'writeNetworkCondition');
  for (const action of actions) {
    if (action.kind === 'writeAddresses') {
      assert(action.addresses.length > 0, 'an empty list of addresses is never written');
      stored = action.addresses;
    }
    if (action.kind === 'writeNetworkCondition') {
      assert(node.networkUnavailable === undefined, 'a condition of the node is never overwritten');
      assert(action.condition.status === 'True', 'only routes that are there make it available');
      assert(action === actions.at(-2), 'the node is marked right before the taint goes');
    }
    if (action.kind === 'initialise') {
      assert(
        marks.length === 0 || action.taintsToAdd.includes(networkUnavailableTaint),
        'a marked node loses the taint only for another one',
      );
      assert(action === actions.at(-1), 'the taint is removed last');
      assert(isSameList(action.addresses, stored), 'the taint goes when the addresses are stored');
      assert(action.providerID !== '', 'the taint goes when the providerID is known');
      assert(
        node.providerID === '' || node.providerID === action.providerID,
        'a providerID is never changed',
      );
    }
  }
}
