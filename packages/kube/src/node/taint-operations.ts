/**
 * The taints in a patch of a node. Taints are a list and a patch names them by index, so each removal
 * first tests the key at that index.
 */
import type { Taint } from './node-projection.ts';
import type { PatchOperation, PlannedPart } from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';

type TaintId = Pick<Taint, 'key' | 'effect'>;

/** A taint may be added without a value. */
export type NewTaint = TaintId & Partial<Taint>;

export function planTaints(
  seen: readonly TaintId[],
  wanted: {
    readonly taintsToRemove?: readonly string[];
    readonly taintsToAdd?: readonly NewTaint[];
  },
): PlannedPart {
  const { taintsToRemove = [], taintsToAdd = [] } = wanted;
  const isRemoved = ({ key }: { readonly key: unknown }): boolean =>
    taintsToRemove.some((other) => other === key);
  const missing = taintsToAdd.filter((taint) => !seen.some((other) => isSameTaint(other, taint)));
  return {
    operations: [...removals(seen, isRemoved), ...additions(seen, missing)],
    isWritten(live) {
      const taints = taintsOf(live);
      return (
        !taints.some(isRemoved) &&
        taintsToAdd.every((taint) => taints.some((other) => isSameTaint(other, taint)))
      );
    },
  };
}

/** From the end to the beginning, because each removal shifts the later entries. */
function removals(
  seen: readonly TaintId[],
  isRemoved: (taint: TaintId) => boolean,
): PatchOperation[] {
  const operations: PatchOperation[] = [];
  for (let index = seen.length - 1; index >= 0; index--) {
    const taint = seen[index];
    if (taint === undefined || !isRemoved(taint)) continue;
    const path = jsonPointer('spec', 'taints', index);
    operations.push({ op: 'test', path: `${path}/key`, value: taint.key }, { op: 'remove', path });
  }
  return operations;
}

/** If another writer added the same taint meanwhile, the API server refuses the duplicate: a failed guard. */
function additions(seen: readonly TaintId[], missing: readonly NewTaint[]): PatchOperation[] {
  if (missing.length === 0) return [];
  if (seen.length > 0) {
    return missing.map((value) => ({ op: 'add', path: `${taintsPath}/-`, value }));
  }
  return [
    { op: 'test', path: taintsPath, value: null },
    { op: 'add', path: taintsPath, value: missing },
  ];
}

const taintsPath = jsonPointer('spec', 'taints');

function taintsOf(live: unknown): { readonly key: unknown; readonly effect: unknown }[] {
  const taints = valueAt(live, taintsPath);
  if (!Array.isArray(taints)) return [];
  return taints.map((taint: unknown) => ({
    key: valueAt(taint, '/key'),
    effect: valueAt(taint, '/effect'),
  }));
}

/** Kubernetes identifies a taint by key and effect. */
function isSameTaint(a: { readonly key: unknown; readonly effect: unknown }, b: TaintId): boolean {
  return a.key === b.key && a.effect === b.effect;
}
