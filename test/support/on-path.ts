/** Finds a program on the PATH, as a shell does. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '@tandem/runtime';

export function findOnPath(program: string, environment: Environment): string | undefined {
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, program))
    .find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
