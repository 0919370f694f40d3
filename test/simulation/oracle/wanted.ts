/**
 * What a world has to be once nothing goes wrong any more, and how it differs from what it is. The truth
 * about the cloud and the nodes' own annotations decide; what the manager says of itself does not.
 */
import type { Store } from '@tandem/devcluster/store';
import { originalsOf, type PlannedMachine } from '../plan/index.ts';
import { resolveNaively } from './naive-addresses.ts';
import {
  isTainted,
  nodeOf,
  podCIDRsOf,
  rankOf,
  requestOf,
  type StoredNode,
  textsOf,
} from './stored-node.ts';
import { machineKeyOf, type Truth } from './truth.ts';

interface WantedOf {
  readonly store: Store;
  readonly truth: Truth;
  readonly machines: readonly PlannedMachine[];
  readonly hasWarned: (uid: string, reason: string) => boolean;
  /** Whether the manager that runs has found the machine of this Node. */
  readonly hasFound: (uid: string) => boolean;
}

interface NodeVerdict {
  /** What is not as it should be, one sentence each. */
  readonly differences: readonly string[];
  /** How many nodes are refused, by code. */
  readonly refused: ReadonlyMap<string, number>;
}

/** Looks at every node of the world. */
export function judgeNodes(world: WantedOf): NodeVerdict {
  const differences: string[] = [];
  const refused = new Map<string, number>();
  for (const machine of world.machines) {
    const node = findNode(world, machine.name);
    if (isGone(world, machine) && !isSpared(world, node)) {
      if (node !== undefined) differences.push(`${machine.name} is still there`);
      continue;
    }
    if (node === undefined) {
      differences.push(`${machine.name} is not there`);
      continue;
    }
    const code = refusalOf(world, machine, node);
    if (code !== undefined) refused.set(code, (refused.get(code) ?? 0) + 1);
    const isOthers = machine.kind.is === 'unmanaged';
    const differenceOf = isOthers ? differenceOfOthers : differenceOfOwn;
    const difference =
      code === undefined ? differenceOf(world, node) : differenceOfRefused(world, node, code);
    if (difference !== undefined) differences.push(`${machine.name} ${difference}`);
  }
  return { differences, refused };
}

/** A machine of this cloud that runs and whose node is initialised. */
export function findSettled(
  world: Pick<WantedOf, 'store' | 'truth' | 'machines'>,
): string | undefined {
  const { truth, machines } = world;
  const settled = machines.find(({ name, kind }) => {
    if (kind.is !== 'own' || !truth.isRunning(truth.machineOf(name))) return false;
    const node = findNode(world, name);
    return node !== undefined && !isTainted(node);
  });
  return settled?.name;
}

/** A machine of this cloud alone that runs and whose node has pod CIDRs: both can go. */
export function findRemovable(
  world: Pick<WantedOf, 'store' | 'truth' | 'machines'>,
): string | undefined {
  const { truth, machines } = world;
  const originals = originalsOf(machines);
  const removable = machines.find(({ name, kind }) => {
    if (kind.is !== 'own' || originals.has(name)) return false;
    const node = findNode(world, name);
    const isThere = node !== undefined && truth.isRunning(truth.machineOf(name));
    return isThere && podCIDRsOf(node).length > 0;
  });
  return removable?.name;
}

function findNode({ store }: Pick<WantedOf, 'store'>, name: string): StoredNode | undefined {
  return nodeOf(store.collection('nodes').get(name));
}

/** A machine that was there and is not any more takes its node with it. */
function isGone({ truth }: WantedOf, { name, kind }: PlannedMachine): boolean {
  return kind.is === 'own' && !truth.isRunning(truth.machineOf(name));
}

/** A Node whose machine was never found may be a newcomer of another cloud: it stays. */
function isSpared({ hasFound }: WantedOf, node: StoredNode | undefined): boolean {
  if (node === undefined) return false;
  const { providerID = '' } = node.spec;
  return providerID === '' && !hasFound(node.metadata.uid);
}

/** What was done to a node that is none of this cloud's, and of which nothing is to be said either. */
function differenceOfOthers({ hasWarned }: WantedOf, node: StoredNode): string | undefined {
  if (!isTainted(node)) return 'is not this cloud’s and was initialised';
  const isWarned = hasWarned(node.metadata.uid, 'InstanceNotFound');
  return isWarned ? 'is not this cloud’s and was said to be missing' : undefined;
}

function refusalOf(world: WantedOf, machine: PlannedMachine, node: StoredNode) {
  const { truth } = world;
  const { name, kind } = machine;
  switch (kind.is) {
    case 'foreign':
      return 'ForeignProviderID';
    case 'unmanaged':
      return undefined;
    case 'missing':
    case 'stranger':
      return 'InstanceNotFound';
    case 'own':
    case 'twin': {
      if (kind.is === 'own' && isGone(world, machine)) return 'InstanceNotFound';
      if (isOutranked(world, name, node)) return 'ProviderIDConflict';
      const answer = resolveNaively(truth.latestOf(truth.machineOf(name)), requestOf(node));
      return answer.kind === 'refused' ? answer.code : undefined;
    }
  }
}

function isOutranked(world: WantedOf, name: string, node: StoredNode): boolean {
  const { truth, machines } = world;
  const providerID = truth.machineOf(name);
  const rivals = machines
    .filter((other) => other.name !== name && truth.machineOf(other.name) === providerID)
    .flatMap((other) => findNode(world, other.name) ?? []);
  return rivals.some((rival) => rankOf(rival) < rankOf(node));
}

function differenceOfOwn({ truth }: WantedOf, node: StoredNode): string | undefined {
  const providerID = truth.ownOf(node.metadata.uid);
  const answer = resolveNaively(truth.latestOf(providerID), requestOf(node));
  const wanted = answer.kind === 'addresses' ? answer.texts.join(', ') : 'a refusal';
  const has = textsOf(node.status.addresses).join(', ');
  if (isTainted(node)) return 'is still tainted';
  const isOther = machineKeyOf(node.spec.providerID ?? '') !== machineKeyOf(providerID);
  if (isOther) return `is not ${providerID}`;
  return has === wanted ? undefined : `has ${has}, and should have ${wanted}`;
}

/** Refusals are seen (P6). A node that was initialised before keeps what it had. */
function differenceOfRefused(
  { hasWarned }: WantedOf,
  node: StoredNode,
  code: string,
): string | undefined {
  return hasWarned(node.metadata.uid, code) ? undefined : `has no Warning event ${code} (P6)`;
}
