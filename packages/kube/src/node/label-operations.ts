/**
 * The part of a node's patch that is about labels: those that the node lacks or has with another value
 * are set one by one. A node without any label has no map to add them to; then the map is added whole,
 * under the guard that there still is none.
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
