/** The rules of a node's capacity and allocatable: no quantity is negative, and some are whole numbers. */
import { at, isJsonObject, textAt } from '../json/index.ts';
import { quantityValue } from '../schema/index.ts';
import type { StoredObject } from '../store/index.ts';
import { type FieldError, invalid } from './field-error.ts';
import { qualifiedNameProblems } from './names.ts';
import type { Update } from './resource.ts';

/** Without an allocatable, the whole capacity can be used. */
export function withAllocatable(node: StoredObject): StoredObject {
  const { status } = node;
  if (!isJsonObject(status)) return node;
  const { capacity, allocatable } = status;
  if (capacity === undefined || allocatable !== undefined) return node;
  return { ...node, status: { ...status, allocatable: capacity } };
}

/** Values that have not changed were validated before. */
export function changedResourceErrors({ next, current }: Update, field: string): FieldError[] {
  const isSame = at(next, 'status', field) === at(current, 'status', field);
  return isSame ? [] : resourceErrors(next, field);
}

export function resourceErrors(node: StoredObject, field: string): FieldError[] {
  const resources = at(node, 'status', field);
  if (!isJsonObject(resources)) return [];
  return Object.keys(resources).flatMap((name) => {
    const quantity = textAt(resources, name);
    const value = quantityValue(quantity);
    const place = `status.${field}.${name}`;
    if (value < 0) return [invalid(place, quantity, 'must be greater than or equal to 0')];
    if (Number.isInteger(value) || !isCounted(name)) return [];
    return [invalid(place, quantity, 'must be an integer')];
  });
}

/** Pods and extended resources are counted in whole numbers. */
function isCounted(name: string): boolean {
  if (name === 'pods') return true;
  const isForeign = name.includes('/') && !name.includes('kubernetes.io/');
  return isForeign && qualifiedNameProblems(name).length === 0;
}
