/**
 * Reads the row of a node from the stored node, from its problems and from the addresses of its instance. What the
 * node got comes from the node alone; the instance only explains why.
 */
import {
  explainAddresses,
  type Explanation,
  findRequest,
  kubeletAnnotation,
  type NodeAddress,
  operatorAnnotation,
  readAddresses,
  stackOf,
} from '@tandem/core/node-address';
import { pausedAnnotation, uninitializedTaint } from '@tandem/core/node-init';
import { at, isJsonObject, listAt, textAt, textsAt } from '../../json/index.ts';
import type { Row, RowState } from './row.ts';
import {
  assignedCodes,
  duplicateCode,
  type NodeProblem,
  type NodeProblems,
  unassignedCodes,
} from './node-problems.ts';

interface NodeSources {
  readonly node: unknown;
  readonly problems: NodeProblems;
  readonly nodeIP: string | null;
  readonly cloud: readonly NodeAddress[] | undefined;
  /** Whether another node has this pod CIDR as well. */
  readonly isShared: (podCIDR: string) => boolean;
}

export function readRow(sources: NodeSources): Row {
  const { node, problems, nodeIP, cloud } = sources;
  const annotations = annotationsOf(node);
  const asked = findRequest({ annotations, labels: {} }, []);
  const isTainted = hasUninitializedTaint(node);
  const got = isTainted ? [] : nodeIPs(node);
  const explanation =
    cloud === undefined
      ? undefined
      : explainAddresses({
          cloud: readAddresses(cloud),
          request: asked,
          exclusions: [],
          gates: { CloudNodeIPs: true },
        });
  const judged = judge({ node, isTainted, annotations, got, explanation, problems });
  return {
    node: textAt(node, 'metadata', 'name'),
    nodeIP,
    asked,
    got,
    stack: stackOf(readAddresses(got)),
    ...readPodCIDRs(sources),
    ...judged,
  };
}

export function hasUninitializedTaint(node: unknown): boolean {
  return listAt(node, 'spec', 'taints').some(
    (taint) => textAt(taint, 'key') === uninitializedTaint,
  );
}

/** Problems from before the node had pod CIDRs are over, and so is a conflict with a deleted node. */
function readPodCIDRs({
  node,
  problems,
  isShared,
}: NodeSources): Pick<Row, 'podCIDRs' | 'podCIDRProblem'> {
  const podCIDRs = textsAt(node, 'spec', 'podCIDRs');
  const codes = podCIDRs.length === 0 ? unassignedCodes : assignedCodes;
  const known = codes.flatMap((code) => problems.podCIDRProblems.get(code) ?? []);
  const problem = known.find(({ code }) => code !== duplicateCode || podCIDRs.some(isShared));
  return { podCIDRs, podCIDRProblem: problem ?? null };
}

type Verdict = Pick<Row, 'state' | 'code' | 'why'>;

function judge(facts: {
  readonly node: unknown;
  readonly isTainted: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  readonly got: readonly NodeAddress[];
  readonly explanation: Explanation | undefined;
  readonly problems: NodeProblems;
}): Verdict {
  const { node, isTainted, annotations, got, explanation, problems } = facts;
  const { refusal, disagreement } = problems;
  if (annotations[pausedAnnotation] === 'true') {
    return verdict('paused', `${pausedAnnotation} is "true": the manager ignores the node`);
  }
  if (isDown(node)) return verdict('down', 'the kubelet reports that it is not ready');
  if (isTainted || explanation === undefined) {
    if (refusal !== undefined) return withProblem('refused', refusal);
    return isTainted ? verdict('waiting', '') : verdict('ready', '');
  }
  if (explanation.addresses === null) {
    const isReported = refusal !== undefined && refusal.code === explanation.error?.code;
    return isReported ? withProblem('refused', refusal) : verdict('waiting', '');
  }
  if (!isSame(explanation.addresses, got)) return verdict('waiting', '');
  if (lacksNetwork(node))
    return verdict('waiting', 'the routes to its pod CIDRs are not there yet');
  const asksTwice = operatorAnnotation in annotations && kubeletAnnotation in annotations;
  if (asksTwice && disagreement !== undefined) return withProblem('ready', disagreement);
  // The first step names the source and the last one the stack; both have columns of their own.
  return verdict('ready', explanation.steps().slice(1, -1).join('; '));
}

function verdict(state: RowState, why: string): Verdict {
  return { state, code: null, why };
}

function withProblem(state: RowState, { code, message }: NodeProblem): Verdict {
  return { state, code, why: message };
}

function isDown(node: unknown): boolean {
  return listAt(node, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') !== 'True',
  );
}

function lacksNetwork(node: unknown): boolean {
  return listAt(node, 'status', 'conditions').some(
    (condition) =>
      textAt(condition, 'type') === 'NetworkUnavailable' && textAt(condition, 'status') === 'True',
  );
}

/** The addresses of the types in which clients look for node IPs. */
function nodeIPs(node: unknown): readonly NodeAddress[] {
  return listAt(node, 'status', 'addresses')
    .map((entry) => ({ type: textAt(entry, 'type'), address: textAt(entry, 'address') }))
    .filter(isNodeIP);
}

function isNodeIP({ type }: NodeAddress): boolean {
  return type === 'InternalIP' || type === 'ExternalIP';
}

function isSame(explained: readonly NodeAddress[], got: readonly NodeAddress[]): boolean {
  const texts = (list: readonly NodeAddress[]): readonly string[] => [
    ...new Set(list.filter(isNodeIP).map(({ type, address }) => `${type} ${address}`)),
  ];
  return texts(explained).join() === texts(got).join();
}

function annotationsOf(node: unknown): Readonly<Record<string, string>> {
  const annotations = at(node, 'metadata', 'annotations');
  if (!isJsonObject(annotations)) return {};
  return Object.fromEntries(
    Object.entries(annotations).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value] as const] : [],
    ),
  );
}
