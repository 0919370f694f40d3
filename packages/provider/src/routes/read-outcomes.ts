/**
 * Validates the outcomes of one call. An invalid outcome is unknown. Too few or too many outcomes
 * make all of them unknown, because they cannot be assigned to operations.
 */
import { printable, quote } from '@tandem/core/node-address';
import { type CcmError, fieldOf } from '@tandem/runtime';
import type { RouteOperation } from '../plug/index.ts';
import { readFailure, readRefusal, RouteError } from './failure.ts';

/** The result of an operation that was sent. */
export type SentResult =
  /** The cloud accepted the operation. A later listing shows it. */
  | { readonly kind: 'applied' }
  /** The cloud refused the operation, and nothing changed. */
  | {
      readonly kind: 'refused';
      readonly err: CcmError;
      readonly reason?: 'tableFull' | 'exists';
    }
  /** Perhaps carried out: only a later listing shows it. */
  | { readonly kind: 'unknown'; readonly err: CcmError };

export interface ReadOutcomes {
  /** The results, one for each operation, in their order. */
  readonly results: readonly SentResult[];
  readonly malformed: number;
}

/** Never throws, whatever a provider's getters do. */
export function readOutcomes(
  provider: string,
  operations: readonly RouteOperation[],
  value: unknown,
): ReadOutcomes {
  const problem = countProblem(value, operations.length);
  const outcomes: readonly unknown[] = Array.isArray(value) ? value : [];
  const results = operations.map((operation, index) => {
    const read = problem === undefined ? readSafely(provider, () => outcomes[index]) : { problem };
    if ('kind' in read) return read;
    const message = `${provider} returned an invalid outcome for ${describe(operation)}: ${read.problem}`;
    return unknown(new RouteError('RouteOutcomeMalformed', message, { effect: 'unknown' }));
  });
  return { results, malformed: results.filter(isMalformed).length };
}

export function unknown(err: CcmError): SentResult {
  return { kind: 'unknown', err };
}

/** Describes an operation for a message. */
function describe(operation: RouteOperation): string {
  const { kind, table } = operation;
  const route = kind === 'create' ? operation.destination : operation.route;
  return `${kind} of route ${quote(route, 80)} in table ${quote(table, 80)}`;
}

interface Problem {
  readonly problem: string;
}

function countProblem(value: unknown, count: number): string | undefined {
  if (!Array.isArray(value)) return 'the outcomes must be a list';
  return value.length === count
    ? undefined
    : `there are ${value.length} outcomes for ${count} operations`;
}

function readSafely(provider: string, outcomeOf: () => unknown): SentResult | Problem {
  try {
    return readOutcome(provider, outcomeOf());
  } catch (err) {
    const words = err instanceof Error ? printable(err.message, 80) : 'unknown reason';
    return { problem: `reading it failed: ${words}` };
  }
}

function readOutcome(provider: string, value: unknown): SentResult | Problem {
  const kind = fieldOf(value, 'kind');
  const err = fieldOf(value, 'err');
  switch (kind) {
    case 'applied':
      return { kind };
    case 'refused': {
      const reason = fieldOf(value, 'reason');
      if (!(err instanceof Error)) return { problem: 'err of a refusal must be an Error' };
      if (reason !== undefined && reason !== 'tableFull' && reason !== 'exists')
        return { problem: 'reason must be tableFull or exists if it is present' };
      const refusal = readRefusal(provider, err);
      if (refusal === undefined)
        return { problem: 'err of a refusal says that something may have changed' };
      return { kind, err: refusal, ...(reason === undefined ? {} : { reason }) };
    }
    case 'unknown': {
      const retryAfterMs = fieldOf(value, 'retryAfterMs') ?? undefined;
      return unknown(readFailure({ provider, operation: 'apply' }, err, retryAfterMs));
    }
    default:
      return { problem: 'kind must be applied, refused or unknown' };
  }
}

function isMalformed(result: SentResult): boolean {
  return result.kind === 'unknown' && result.err.code === 'RouteOutcomeMalformed';
}
