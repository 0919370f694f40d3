/**
 * The labels in a patch of a node: missing or different ones are set one by one. A node without labels
 * has no map to add them to; then the whole map is added, guarded by its absence.
 */
import type { PlannedPart } from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';

type Labels = Readonly<Record<string, string>>;

export function planLabels(seen: Labels, wanted: Labels): PlannedPart {
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
