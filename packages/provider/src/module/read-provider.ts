/**
 * Checks that a module and the provider that it creates fit the plug. The error names everything that is missing at once.
 */
import { fieldOf } from '@tandem/runtime';
import type { Provider, ProviderLimits, ProviderModule, RouteLimits } from '../plug/index.ts';
import { ProviderLoadError } from './load-error.ts';

/** Returns the checked module. Throws a `ProviderLoadError` that names everything it lacks. */
export function readProviderModule(value: unknown, source: string): ProviderModule {
  if (isProviderModule(value)) return value;
  throw new ProviderLoadError(
    'ProviderModuleUnfit',
    `${source} must export a function named createProvider, but exports ${exportsOf(value)}`,
  );
}

export function readProvider(value: unknown, source: string): Provider {
  const problems = problemsOf(value);
  if (isProvider(value, problems)) return value;
  throw new ProviderLoadError(
    'ProviderModuleUnfit',
    `createProvider of ${source} returned an invalid provider: ${problems.join('; ')}`,
  );
}

function isProviderModule(value: unknown): value is ProviderModule {
  return typeof fieldOf(value, 'createProvider') === 'function';
}

function isProvider(value: unknown, problems: readonly string[]): value is Provider {
  return isObject(value) && problems.length === 0;
}

function problemsOf(value: unknown): string[] {
  if (!isObject(value)) return ['it is not an object'];
  const name = fieldOf(value, 'name');
  const problems: string[] = [];
  if (typeof name !== 'string' || !namePattern.test(name)) {
    problems.push(
      'name must be at most 63 letters, digits and dashes, with a letter or digit at both ends',
    );
  }
  for (const method of ['identify', 'lookup']) {
    if (typeof fieldOf(value, method) !== 'function') problems.push(`${method} must be a function`);
  }
  for (const method of ['watch', 'checkAccess', 'close']) {
    const given = fieldOf(value, method);
    if (given !== undefined && typeof given !== 'function') {
      problems.push(`${method} must be a function if it is present`);
    }
  }
  return [
    ...problems,
    ...limitProblems('limits', fieldOf(value, 'limits'), lookupLimits),
    ...routeProblems(fieldOf(value, 'routes')),
  ];
}

function routeProblems(routes: unknown): string[] {
  if (routes === undefined) return [];
  if (!isObject(routes)) return ['routes must be an object if it is present'];
  const families = fieldOf(routes, 'families');
  const problems: string[] = [];
  if (!isListOfFamilies(families)) problems.push('routes.families must list IPv4, IPv6 or both');
  for (const method of ['list', 'apply']) {
    if (typeof fieldOf(routes, method) !== 'function') {
      problems.push(`routes.${method} must be a function`);
    }
  }
  return [...problems, ...limitProblems('routes.limits', fieldOf(routes, 'limits'), routeLimits)];
}

function isListOfFamilies(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const isKnown = value.every((family) => family === 'IPv4' || family === 'IPv6');
  return isKnown && new Set(value).size === value.length;
}

/** The name is a label of metrics and part of every message. */
const namePattern = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/i;

function limitProblems(
  member: string,
  limits: unknown,
  known: Readonly<Record<string, true>>,
): string[] {
  if (limits === undefined) return [];
  if (!isObject(limits)) return [`${member} must be an object if it is present`];
  return Object.entries(limits).flatMap(([limit, value]) => {
    if (!Object.hasOwn(known, limit)) return [`${member}.${limit} is not a known limit`];
    const isPositive = typeof value === 'number' && value > 0;
    return isPositive ? [] : [`${member}.${limit} must be a number greater than 0`];
  });
}

/** The types have the names, so that no limit of the plug is missing here. */
const routeLimits: Readonly<Record<keyof RouteLimits, true>> = {
  batchSize: true,
  concurrency: true,
  callsPerSecond: true,
  burst: true,
  deadlineMs: true,
  gatherMsMax: true,
};
const lookupLimits: Readonly<Record<keyof ProviderLimits, true>> = {
  ...routeLimits,
  gatherPauseMs: true,
};

/** Names that a person may have mistyped, as few as fit into a line. */
function exportsOf(value: unknown): string {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length === 0 ? 'nothing' : names.slice(0, 5).join(', ');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
