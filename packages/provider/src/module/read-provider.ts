/**
 * Checks that a module, and what it creates, fits the plug. Everything that is missing is named at once,
 * because whoever wrote the module runs it again after each repair.
 */
import type { Provider, ProviderModule } from '../plug/index.ts';
import { ProviderLoadError } from './load-error.ts';

/** The module as one that can be used; throws a `ProviderLoadError` that says what it lacks. */
export function readProviderModule(value: unknown, source: string): ProviderModule {
  if (isProviderModule(value)) return value;
  throw new ProviderLoadError(
    'ProviderModuleUnfit',
    `${source} does not export a function createProvider, but ${exportsOf(value)}`,
  );
}

export function readProvider(value: unknown, source: string): Provider {
  const problems = problemsOf(value);
  if (isProvider(value, problems)) return value;
  throw new ProviderLoadError(
    'ProviderModuleUnfit',
    `What createProvider of ${source} gave is no provider: ${problems.join('; ')}`,
  );
}

function isProviderModule(value: unknown): value is ProviderModule {
  return typeof fieldOf(value, 'createProvider') === 'function';
}

function isProvider(value: unknown, problems: readonly string[]): value is Provider {
  return isObject(value) && problems.length === 0;
}

function problemsOf(value: unknown): string[] {
  if (!isObject(value)) return ['it is no object'];
  const name = fieldOf(value, 'name');
  const problems: string[] = [];
  if (typeof name !== 'string' || !namePattern.test(name)) {
    problems.push('name must be a word of at most 63 letters, digits and dashes');
  }
  for (const method of ['owns', 'lookup']) {
    if (typeof fieldOf(value, method) !== 'function') problems.push(`${method} must be a function`);
  }
  for (const method of ['checkAccess', 'close']) {
    const given = fieldOf(value, method);
    if (given !== undefined && typeof given !== 'function') {
      problems.push(`${method}, where there is one, must be a function`);
    }
  }
  return [...problems, ...limitProblems(fieldOf(value, 'limits'))];
}

/** It is a label of metrics and stands in every message. */
const namePattern = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/i;

function limitProblems(limits: unknown): string[] {
  if (limits === undefined) return [];
  if (!isObject(limits)) return ['limits, where there are any, must be an object'];
  return Object.entries(limits).flatMap(([limit, value]) => {
    if (!limitNames.has(limit)) return [`limits.${limit} is unknown`];
    const isPositive = typeof value === 'number' && value > 0;
    return isPositive ? [] : [`limits.${limit} must be a number above 0`];
  });
}

const limitNames = new Set(['batchSize', 'concurrency', 'callsPerSecond', 'burst', 'deadlineMs']);

/** Names that a person may have mistyped, as few as fit into a line. */
function exportsOf(value: unknown): string {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length === 0 ? 'nothing' : names.slice(0, 5).join(', ');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}
