/**
 * Reads the fields of a kubeconfig together with their paths, so that an error about a wrong type names
 * the field and the file.
 */
import { isRecord } from '@tandem/runtime';
import { CredentialsError } from './credentials.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A field of a file, for people: `users["jane"].exec in /etc/kubeconfig`. */
export interface FieldPath {
  readonly text: string;
  at(name: string): FieldPath;
}

export function fieldPathIn(file: string, path = ''): FieldPath {
  return {
    text: path === '' ? file : `${path} in ${file}`,
    at: (name) => fieldPathIn(file, path === '' ? name : `${path}.${name}`),
  };
}

export const field = {
  map(value: unknown, path: FieldPath): Fields {
    if (value === undefined || value === null) return {};
    if (isRecord(value)) return value;
    throw wrongType(path, 'a map');
  },
  list(value: unknown, path: FieldPath): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    throw wrongType(path, 'a list');
  },
  /** An empty string counts as absent, as in client-go. */
  text(value: unknown, path: FieldPath): string | undefined {
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string') return value;
    throw wrongType(path, 'a string');
  },
};

function wrongType(path: FieldPath, wanted: string): CredentialsError {
  return new CredentialsError('KubeconfigInvalid', {
    problem: `${path.text} is not ${wanted}.`,
    fix: 'Compare it with the output of `kubectl config view`.',
  });
}
