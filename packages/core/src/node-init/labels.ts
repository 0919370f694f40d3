/**
 * Which labels a node shall have. Each fact of type, zone and region has two keys, a legacy (beta) one
 * and one that is generally available, and the two always say the same: what the cloud says, or where
 * it is not heard what the beta label says. Other labels of the cloud are added, but never under a key
 * that belongs to Kubernetes. No label is ever removed: nobody knows whose it was.
 */
import { enumerate } from '../node-address/index.ts';
import type { CloudInstance } from './cloud-answer.ts';
import type { Labels } from './node.ts';

export interface LabelInput {
  /** What the node has. */
  readonly labels: Labels;
  /** Whose labels the node shall have; null where only the pairs are kept in step. */
  readonly instance: CloudInstance | null;
  /** What to do where the node has another value for one of the cloud's further labels. */
  readonly onDifference: 'keep' | 'overwrite';
}

export interface LabelPlan {
  /** Labels that the node lacks or has with another value. */
  readonly changes: Labels;
  /** What of the cloud was not taken, and why. */
  readonly remarks: readonly string[];
}

export function planLabels({ labels, instance, onDifference }: LabelInput): LabelPlan {
  const further = Object.entries(instance?.labels ?? {});
  const reserved = further.filter(([key]) => isReserved(key));
  const usable = further.filter(([key]) => !isReserved(key));
  const isKept = ([key, value]: Entry): boolean =>
    onDifference === 'keep' && Object.hasOwn(labels, key) && labels[key] !== value;
  const wanted = [...wantedPairs(labels, instance), ...usable.filter((entry) => !isKept(entry))];
  const changes = wanted.filter(
    ([key, value]) => !Object.hasOwn(labels, key) || labels[key] !== value,
  );
  return {
    changes: Object.fromEntries(changes),
    remarks: [
      ...remark('left out, because the keys belong to Kubernetes', reserved),
      ...remark('left as the node has them, although the cloud differs', usable.filter(isKept)),
    ],
  };
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

/** An empty fact is one that the cloud has not. A stable label without a beta one is left alone. */
function wantedPairs(labels: Labels, instance: CloudInstance | null): Entry[] {
  return pairs.flatMap(({ fact, beta, stable }): Entry[] => {
    const given = instance?.[fact] ?? '';
    if (given !== '') {
      return [
        [beta, given],
        [stable, given],
      ];
    }
    const legacy = Object.hasOwn(labels, beta) ? labels[beta] : undefined;
    return legacy === undefined ? [] : [[stable, legacy]];
  });
}

/** Upstream's rule, to the letter: `app.k8s.io/x` is reserved, `app.k8snio/x` is not. */
function isReserved(key: string): boolean {
  return /(^|\.)(kubernetes|k8s)\.io\//.test(key);
}

function remark(why: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  const keys = enumerate(
    entries.map(([key]) => key),
    remarkEchoMax,
  );
  return [`labels of the cloud ${why}: ${keys}`];
}

const remarkEchoMax = 400;
