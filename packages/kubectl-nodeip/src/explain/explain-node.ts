/**
 * `kubectl nodeip explain NODE`: shows the controller's plan for a node of a cluster. It runs the controller's own
 * `planNode` on the node and the manager's view of it. Without that view, it shows only what the node has.
 */
import { findRequest, quote, readAddresses, stackOf } from '@tandem/core/node-address';
import { isInitialised, type NodeFacts, type NodePlan } from '@tandem/core/node-init';
import { type NodeStateName, type NodeView, planFromView, readSettings } from '@tandem/core/view';
import { exitOk, exitRefused } from '../exit-codes.ts';
import type { Told } from '../live/manager.ts';
import { type LiveSettings } from '../live/options.ts';
import { type NodeWarning, noWarnings, readWarnings } from '../live/node-warnings.ts';
import type { OpenPorts } from '../live/ports.ts';
import { type Live, type ManagerNote, noteOf, sayUntold, withCluster } from '../live/run-live.ts';
import { printData } from '../print/print-data.ts';
import { age } from '../print/table.ts';
import { judgeObjects, type Judgement, needsWarnings } from '../status/judge-objects.ts';
import type { Streams } from '../streams.ts';
import type { Answer } from './answer.ts';
import type { OutputFormat } from './command-line.ts';
import { printText } from './print-text.ts';

/** The fields of `-o json`, with further facts about the node. */
export interface NodeAnswer extends Omit<Answer, 'error'> {
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly node: string;
  readonly isInitialised: boolean;
  /** As `status` shows it. */
  readonly state: NodeStateName;
  readonly manager: ManagerNote;
  /** The age of the cloud's answer; null if unknown. */
  readonly cloudAsOf: string | null;
  /** The next writes of the controller, in their order. */
  readonly writes: readonly { readonly kind: string; readonly reason: string }[];
  /** `settled`, `refused`, `lookup`, `paused`, `notOurs`, or `unknown` without the manager. */
  readonly outcome: string;
}

export function explainNode(
  command: { readonly node: string; readonly live: LiveSettings; readonly output: OutputFormat },
  { streams, openPorts }: { readonly streams: Streams; readonly openPorts: OpenPorts },
): Promise<number> {
  return withCluster(command.live, { streams, openPorts }, async (live) => {
    const node = await live.cluster.node(command.node);
    const told = await live.manager.tell('nodes', { name: node.name });
    const events =
      told.kind !== 'told' && needsWarnings(node)
        ? await readWarnings(live.cluster, node.name)
        : noWarnings;
    if (events.kind === 'unread') streams.errors.write(`warning: ${events.problem}\n`);
    const warnings = events.kind === 'read' ? events.warnings : [];
    const answer = answerFor(node, {
      told,
      manager: noteOf(live.manager, told),
      warnings: warnings.filter(({ uid }) => uid === node.uid),
    });
    if (command.output === 'text') print(live, answer, told);
    else streams.output.write(await printData(answer, command.output));
    return answer.outcome === 'refused' ? exitRefused : exitOk;
  });
}

function print(live: Omit<Live, 'output'>, answer: NodeAnswer, told: Told<'nodes'>): void {
  const { streams, nowMs } = live;
  const { problem } = answer.manager;
  if (problem !== null)
    sayUntold(live, { kind: told.kind === 'off' ? 'off' : 'unreached', problem });
  const { hasColour, output } = streams;
  const now = told.kind === 'told' ? told.nowMs : nowMs;
  const asked =
    answer.cloudAsOf === null
      ? ''
      : `Asked     the cloud ${age(Date.parse(answer.cloudAsOf), now)} ago\n`;
  output.write(`Node      ${answer.node} (${answer.state})\n${asked}`);
  output.write(printText(answer, { hasColour, isCloudKnown: answer.cloudAsOf !== null }));
  const [first, ...others] = answer.writes.map(({ kind, reason }) => `${kind}: ${reason}`);
  output.write(
    [`Writes    ${first ?? 'none'}`, ...others.map((line) => `          ${line}`), ''].join('\n'),
  );
}

export interface KnownOfNode {
  readonly told: Told<'nodes'>;
  readonly manager: ManagerNote;
  /** The events of the node, if there is no manager's view. */
  readonly warnings: readonly NodeWarning[];
}

export function answerFor(node: NodeFacts, { told, manager, warnings }: KnownOfNode): NodeAnswer {
  const view = told.kind === 'told' ? told.items.find(({ uid }) => uid === node.uid) : undefined;
  const settings = told.kind === 'told' ? readSettings(told.summary.settings) : undefined;
  if (view !== undefined && settings !== undefined) {
    const request = findRequest(node, settings.settings.policies);
    return withPlan({ node, view, plan: planFromView(node, view, settings), request, manager });
  }
  const problem =
    manager.problem ??
    (settings === undefined
      ? 'its settings are not understood by this plugin'
      : 'it has not seen this node yet');
  return withoutView(node, { ...manager, problem }, judgeObjects(node, warnings));
}

interface PlannedNode {
  readonly node: NodeFacts;
  readonly view: NodeView;
  readonly plan: NodePlan;
  readonly request: Answer['request'];
  readonly manager: ManagerNote;
}

function withPlan({ node, view, plan, request, manager }: PlannedNode): NodeAnswer {
  const { explanation, outcome, actions } = plan;
  const judged = explanation ?? { ...ownAddresses(node), request, excluded: [], steps: () => [] };
  const notes = [
    ...('reason' in outcome ? [outcome.reason] : []),
    ...(plan.disagreement === null ? [] : [plan.disagreement]),
    ...(plan.conflict === null ? [] : [plan.conflict]),
    ...plan.remarks,
  ];
  return {
    ...judged,
    cloud: view.cloud?.kind === 'found' ? view.cloud.instance.addresses : [],
    error: outcome.kind === 'refused' ? outcome.refusal : null,
    addresses: outcome.kind === 'refused' ? null : judged.addresses,
    steps: [...judged.steps(), ...notes],
    node: node.name,
    isInitialised: isInitialised(node),
    state: view.state,
    manager,
    cloudAsOf: view.cloud?.asOf ?? null,
    writes: actions.map(({ kind, reason }) => ({ kind, reason: reason() })),
    outcome: outcome.kind,
  };
}

/** Returns an answer from the node alone, without the addresses of the cloud. */
function withoutView(
  node: NodeFacts,
  manager: ManagerNote,
  { state, reason, message }: Judgement,
): NodeAnswer {
  const request = findRequest(node, []);
  const asks =
    request === null
      ? 'no annotation of the node asks for addresses; policies of the manager are not known'
      : `request ${quote(request.value)} from ${request.source}`;
  return {
    ...ownAddresses(node),
    request,
    cloud: [],
    excluded: [],
    error: null,
    steps: [
      asks,
      ...(reason === null || message === null ? [] : [`${reason}: ${message}`]),
      'what the cloud has is known to the manager alone; the result is what the node has now',
    ],
    node: node.name,
    isInitialised: isInitialised(node),
    state,
    manager,
    cloudAsOf: null,
    writes: [],
    outcome: 'unknown',
  };
}

function ownAddresses({ addresses }: NodeFacts): Pick<Answer, 'addresses' | 'stack'> {
  return { addresses, stack: stackOf(readAddresses(addresses)) };
}
