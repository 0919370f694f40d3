/**
 * What to do about one node: the whole decision of the cloud-node-controller. A plan is a list of
 * writes in an order that is safe to stop at any point (P1: addresses, then the mark of a node whose routes are
 * not there yet, then providerID, labels and the end of the taint in one write), and what to report once they
 * are done. A converged node gets no writes (P5). Nothing is taken from a node because the cloud was silent
 * (P3). A node without the taint never gets a providerID: that belongs to initialisation, as upstream has it.
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
  /** Whether a providerID is this cloud's: the provider's own word. Never asked about an empty one. */
  readonly owns: (providerID: string) => boolean;
  /** Other nodes that claim the same instance, by their providerID or by what was found for them. */
  readonly rivals: readonly Claimant[];
  /** Null as long as the cloud has not been asked: some verdicts need no answer. */
  readonly answer: CloudAnswer | null;
  /** Whether the cloud's last word, before an answer that is none, was that the node is not its own. */
  readonly isNotOurs: boolean;
  /** When the node's request was last seen to change, on the clock of the answer's `asOfMs`. */
  readonly requestChangedAtMs: number;
  readonly settings: NodeSettings;
  /** Undefined where routes are not managed. */
  readonly routes: RouteRules | undefined;
}

export interface NodePlan {
  /** In the order in which they are to be done; each only if those before it were. */
  readonly actions: readonly NodeAction[];
  readonly outcome: NodeOutcome;
  /** How the addresses came about; null where they were not judged. */
  readonly explanation: Explanation | null;
  /** What consumers will see; null where no addresses were chosen, or none of them is an IP. */
  readonly stack: Stack | null;
  /** What to say of sources that disagree (the reason is `requestsDifferReason`), or null. */
  readonly disagreement: string | null;
  /** What to say where another Node is initialised as the same instance (`ProviderIDConflict`), or null. */
  readonly conflict: string | null;
  /** What else `explain` has to tell. */
  readonly remarks: readonly string[];
}

/** What is so once the actions are done. */
export type NodeOutcome =
  /** The node needs no change. */
  | { readonly kind: 'settled' }
  /** Until something changes, and for people to see (P6). */
  | { readonly kind: 'refused'; readonly refusal: Refusal | NodeRefusal }
  /** The cloud has to be asked before more can be said; then plan again. */
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

/** Why the node must not be changed, whatever the cloud says. */
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

/** Two Nodes that are initialised as one instance are both told; this one holds it. */
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

/** A failure does not change whose the node is. */
function isOthers({ answer, isNotOurs }: NodePlanInput): boolean {
  return answer?.kind === 'notOurs' || (answer?.kind === 'unknown' && isNotOurs);
}

/** A failure from before the request says no more about it than an absence does. */
function refusedIfFresh(
  { node, requestChangedAtMs }: NodePlanInput,
  answer: CloudAnswer,
  refusal: NodeRefusal,
): NodePlan {
  const isFresh = isAskedSince(requestChangedAtMs, answer);
  return withoutInstance(node, isFresh ? refused(refusal) : lookup(tooOld));
}

/** The same instant will do: a request is seen later than it is made. */
function isAskedSince(requestChangedAtMs: number, { asOfMs }: CloudAnswer): boolean {
  return asOfMs >= requestChangedAtMs;
}

/** Keeping pairs of labels in step needs no cloud. */
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
  // A providerID stays forever: a foreign one would leave the node without an owner.
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
  // A refused request does not keep the labels of an initialised node from being true.
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

/** A selector may go by what the cloud says: it counts at once, not after the next look. */
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
