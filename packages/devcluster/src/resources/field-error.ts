/** What is wrong with one field of an object: a cause of a refusal. */
import type { Json } from '../json/index.ts';

export interface FieldError {
  readonly field: string;
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueNotSupported'
    | 'FieldValueTooLong';
  readonly message: string;
}

export function invalid(field: string, value: Json, problem: string): FieldError {
  const message = `Invalid value: ${JSON.stringify(value)}: ${problem}`;
  return { field, reason: 'FieldValueInvalid', message };
}

export function required(field: string, detail = ''): FieldError {
  const message = detail === '' ? 'Required value' : `Required value: ${detail}`;
  return { field, reason: 'FieldValueRequired', message };
}

export function duplicate(field: string, value: Json, detail = ''): FieldError {
  const what = `Duplicate value: ${JSON.stringify(value)}`;
  return {
    field,
    reason: 'FieldValueDuplicate',
    message: detail === '' ? what : `${what}: ${detail}`,
  };
}

export function forbidden(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${detail}` };
}

export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const values = supported.map((name) => JSON.stringify(name)).join(', ');
  return {
    field,
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${values}`,
  };
}

export function tooLong(field: string, bytesMax: number): FieldError {
  const message = `Too long: may not be more than ${bytesMax} bytes`;
  return { field, reason: 'FieldValueTooLong', message };
}

/** `metadata.name: Required value`, or several of these in brackets. */
export function describeErrors(errors: readonly FieldError[]): string {
  const lines = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return lines.length === 1 ? (lines[0] ?? '') : `[${lines.join(', ')}]`;
}
