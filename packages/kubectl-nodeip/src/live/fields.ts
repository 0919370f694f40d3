/** Objects of the API as they came: what is looked for in them is there, or it is nothing. */
import { isRecord } from '@tandem/runtime';

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text at the end of a path of fields; empty where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const field of path) found = asObject(found)[field];
  return typeof found === 'string' ? found : '';
}
