/** Reads fields of raw API objects, which may lack them. */
import { isRecord } from '@tandem/runtime';

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the text at the end of a path of fields; empty if there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const field of path) found = asObject(found)[field];
  return typeof found === 'string' ? found : '';
}
