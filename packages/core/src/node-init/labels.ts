/**
 * The labels of a node. Type, zone and region have two keys each, a legacy (beta) one and a generally
 * available one, and both always have the same value: the cloud's, or without an answer the beta label's.
 * Other labels of the cloud are added, but never under a key of Kubernetes. No label is ever removed,
 * because its owner is unknown.
 */
import { enumerate } from '../node-address/index.ts';
import type { CloudInstance } from './cloud-answer.ts';
import type { Labels } from './node.ts';

export interface LabelInput {
  /** The labels of the node. */
  readonly labels: Labels;
  /** The instance whose labels the node gets; null if only the pairs are kept equal. */
  readonly instance: CloudInstance | null;
  /** What to do if the node has another value for one of the cloud's additional labels. */
  readonly onDifference: 'keep' | 'overwrite';
}

export interface LabelPlan {
  /** Labels that the node lacks or has with another value. */
  readonly changes: Labels;
  /** The labels of the cloud that were ignored, and why. */
  readonly remarks: readonly string[];
}

export function planLabels({ labels, instance, onDifference }: LabelInput): LabelPlan {
  const wanted = wantedPairs(labels, instance);
  const [reserved, kept]: [string[], string[]] = [[], []];
  for (const [key, value] of Object.entries(instance?.labels ?? {})) {
    if (isReserved(key)) reserved.push(key);
    else if (onDifference === 'keep' && differs(labels, key, value)) kept.push(key);
    else wanted.push([key, value]);
  }
  const changes = wanted.filter(
    ([key, value]) => !Object.hasOwn(labels, key) || labels[key] !== value,
  );
  return {
    changes: Object.fromEntries(changes),
    remarks: [
      ...remark('ignored labels of the cloud whose keys belong to Kubernetes', reserved),
      ...remark("kept the node's labels where the cloud has other values", kept),
    ],
  };
}

function differs(labels: Labels, key: string, value: string): boolean {
  return Object.hasOwn(labels, key) && labels[key] !== value;
}

type Entry = readonly [key: string, value: string];

const pairs = [
  {
    fact: 'instanceType',
    beta: 'beta.kubernetes.io/instance-type',
    stable: 'node.kubernetes.io/instance-type',
  },
  {
    fact: 'zone',
    beta: 'failure-domain.beta.kubernetes.io/zone',
    stable: 'topology.kubernetes.io/zone',
  },
  {
    fact: 'region',
    beta: 'failure-domain.beta.kubernetes.io/region',
    stable: 'topology.kubernetes.io/region',
  },
] as const;

/** The labels that Tandem derives from the cloud's answer, so the answer cannot depend on them. */
export const cloudLabels: ReadonlySet<string> = new Set(
  pairs.flatMap(({ beta, stable }) => [beta, stable]),
);

/** An empty fact counts as missing. A stable label without a beta one is left alone. */
function wantedPairs(labels: Labels, instance: CloudInstance | null): Entry[] {
  const wanted: Entry[] = [];
  for (const { fact, beta, stable } of pairs) {
    const given = instance?.[fact] ?? '';
    const legacy = Object.hasOwn(labels, beta) ? labels[beta] : undefined;
    if (given !== '') wanted.push([beta, given], [stable, given]);
    else if (legacy !== undefined) wanted.push([stable, legacy]);
  }
  return wanted;
}

/** Exactly upstream's rule: `app.k8s.io/x` is reserved, `app.k8snio/x` is not. */
function isReserved(key: string): boolean {
  return /(^|\.)(kubernetes|k8s)\.io\//.test(key);
}

function remark(what: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  return [`${what}: ${enumerate(keys, remarkEchoMax)}`];
}

const remarkEchoMax = 400;
