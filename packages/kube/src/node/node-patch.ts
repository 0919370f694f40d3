/**
 * The last write of an initialisation: providerID, labels and taints in one patch that the API server
 * applies whole or not at all. It removes the taint only while the addresses are those that were written
 * (P1), sets the providerID only if there is none, and fails if the list of taints has changed instead of
 * removing the wrong one. Label updates and taint changes are the same patch with fewer parts.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import {
  type GuardedPatch,
  jsonPatch,
  type PatchOperation,
  type PlannedPart,
} from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';
import { addressesPath, plainAddresses } from './address-patch.ts';
import type { Taint } from './node-projection.ts';
import { isSameUid, nodeResource, testUid } from './node-resource.ts';
import { type NewTaint, planTaints } from './taint-operations.ts';

export interface NodePatchInput {
  /** The last observed node. If it has changed, a guard fails. */
  readonly node: SeenNode;
  /** The addresses that were just written, as a guard. */
  readonly addresses?: readonly NodeAddress[];
  /** The instance of the node. Set if the node has none, otherwise a guard. */
  readonly providerID?: string;
  /** Labels that the node must have. Other labels stay. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Keys of taints to remove, with any effect. */
  readonly taintsToRemove?: readonly string[];
  readonly taintsToAdd?: readonly NewTaint[];
}

export interface SeenNode {
  readonly name: string;
  readonly uid: string;
  /** Empty if it has none. */
  readonly providerID: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Pick<Taint, 'key' | 'effect'>[];
}

/** The patch, or `undefined` if nothing has to change. */
export function nodePatch(input: NodePatchInput): GuardedPatch | undefined {
  const { node, addresses, providerID } = input;
  const providerIDGuard = testProviderID(node, providerID);
  const { operations: onTaints, isWritten: areTaintsWritten } = planTaints(node.taints, input);
  const { operations: onLabels, isWritten: areLabelsWritten } = planLabels(
    node.labels,
    input.labels ?? {},
  );
  const setsProviderID = providerID !== undefined && node.providerID === '';
  const hasChanges = setsProviderID || onTaints.length + onLabels.length > 0;
  if (!hasChanges) return undefined;
  return jsonPatch({
    resource: nodeResource(node.name),
    operations: [
      testUid(node.uid),
      ...testAddresses(addresses),
      ...providerIDGuard,
      ...onTaints,
      ...(setsProviderID ? [{ op: 'add', path: providerIDPath, value: providerID } as const] : []),
      ...onLabels,
    ],
    isWritten: (live) =>
      isSameUid(live, node.uid) &&
      (providerID === undefined || valueAt(live, providerIDPath) === providerID) &&
      areTaintsWritten(live) &&
      areLabelsWritten(live),
  });
}

const providerIDPath = jsonPointer('spec', 'providerID');

function testAddresses(addresses: NodePatchInput['addresses']): PatchOperation[] {
  if (addresses === undefined) return [];
  return [{ op: 'test', path: addressesPath, value: plainAddresses(addresses) }];
}

/** A `test` for null holds where the field is absent, as an empty providerID is. */
function testProviderID(node: SeenNode, lookedUp: string | undefined): PatchOperation[] {
  if (lookedUp === undefined) return [];
  if (node.providerID !== '' && node.providerID !== lookedUp) {
    // Two claimants of one node are sorted out before anything is written (P2).
    throw new Error(
      `this should never happen: a patch that changes the providerID of ${node.name}`,
    );
  }
  return [{ op: 'test', path: providerIDPath, value: node.providerID === '' ? null : lookedUp }];
}

type Labels = Readonly<Record<string, string>>;

/**
 * Missing or different labels are set one by one. A node without labels has no map to add them to; then the whole map
 * is added, guarded by its absence.
 */
function planLabels(seen: Labels, wanted: Labels): PlannedPart {
  const changes = Object.entries(wanted).filter(
    ([key, value]) => !Object.hasOwn(seen, key) || seen[key] !== value,
  );
  return {
    operations: operationsFor(changes, Object.keys(seen).length > 0),
    isWritten: (live) =>
      Object.entries(wanted).every(([key, value]) => valueAt(live, pathOf(key)) === value),
  };
}

function operationsFor(
  changes: readonly [string, string][],
  hasLabels: boolean,
): PlannedPart['operations'] {
  if (changes.length === 0) return [];
  if (hasLabels) return changes.map(([key, value]) => ({ op: 'add', path: pathOf(key), value }));
  return [
    { op: 'test', path: labelsPath, value: null },
    { op: 'add', path: labelsPath, value: Object.fromEntries(changes) },
  ];
}

const labelsPath = jsonPointer('metadata', 'labels');

function pathOf(key: string): string {
  return labelsPath + jsonPointer(key);
}
