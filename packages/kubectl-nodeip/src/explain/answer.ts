/** Answers a question: first what the kubelet would do, then the resolution with its steps. */
import {
  explainAddresses,
  type Explanation,
  type KubeletKind,
  type KubeletOutcome,
  kubeletAnnotation,
  type NodeAddress,
  quote,
  readAddresses,
  runKubelet,
  type SourcedRequest,
} from '@tandem/core/node-address';
import type { Rules } from './command-line.ts';

/** The fields of `-o json`. `kubelet` is present for questions about a `--node-ip`. */
export interface Answer extends Omit<Explanation, 'steps'> {
  readonly steps: readonly string[];
  readonly kubelet?: Pick<KubeletOutcome, 'annotation' | 'ignored' | 'refused'>;
}

export interface Question extends Rules {
  readonly cloud: readonly NodeAddress[];
}

export function answerRequest(question: Question, request: SourcedRequest | null): Answer {
  const cloud = readAddresses(question.cloud);
  const explanation = explainAddresses({ ...question, cloud, request });
  return { ...explanation, steps: explanation.steps() };
}

/** Answers a question about the value of the kubelet's annotation, or about its absence. */
export function answerAnnotation(question: Question, annotation: string | null): Answer {
  const request = annotation === null ? null : { value: annotation, source: kubeletAnnotation };
  return answerRequest(question, request);
}

/** Answers a question about a kubelet with this `--node-ip`. */
export function answerNodeIP(question: Question, nodeIP: string | null, kind: KubeletKind): Answer {
  const kubelet = runKubelet(nodeIP, kind);
  const steps = describeKubelet(nodeIP, kubelet);
  const { annotation, ignored, refused } = kubelet;
  const told = { annotation, ignored, refused };
  if (refused !== null) return { ...unanswered(question), steps, kubelet: told };
  const answer = answerAnnotation(question, annotation);
  return { ...answer, steps: [...steps, ...answer.steps], kubelet: told };
}

/** Returns the answer for a kubelet that does not start: the node has no request and gets no addresses. */
function unanswered({ cloud }: Question): Omit<Explanation, 'steps'> {
  const entries = cloud.map(({ type, address }) => ({ type, address }));
  return { request: null, cloud: entries, excluded: [], addresses: null, stack: null, error: null };
}

function describeKubelet(nodeIP: string | null, kubelet: KubeletOutcome): string[] {
  const steps = [
    nodeIP === null ? 'the kubelet has no --node-ip' : `the kubelet has --node-ip ${quote(nodeIP)}`,
  ];
  for (const piece of kubelet.ignored.slice(0, ignoredShownMax)) {
    steps.push(
      `the kubelet ignores ${quote(piece)}, which it cannot parse, and only logs a line about it`,
    );
  }
  const unseen = kubelet.ignored.length - ignoredShownMax;
  if (unseen > 0) steps.push(`the kubelet ignores ${unseen} more parts`);
  if (kubelet.refused !== null) {
    steps.push(`the kubelet does not start: ${kubelet.refused}`);
  } else if (kubelet.withheld !== null) {
    steps.push(`the kubelet starts but writes no annotation: ${kubelet.withheld}`);
  } else if (kubelet.annotation === null) {
    steps.push('the kubelet writes no annotation');
  } else {
    steps.push(`the kubelet annotates the node with ${kubeletAnnotation}=${kubelet.annotation}`);
  }
  return steps;
}

const ignoredShownMax = 8;
