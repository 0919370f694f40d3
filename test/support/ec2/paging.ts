/** Pages as EC2 has them: as many entries as were asked for, or fewer, and a token for the rest. */
import { hash } from 'node:crypto';
import { EC2Error, invalidValue } from './error.ts';
import type { Query } from './query.ts';

interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

interface PageRules {
  readonly sizeMin: number;
  readonly sizeMax: number;
  /** EC2 may give less than was asked for. */
  readonly sizeGivenMax: number;
  /** Where no size is asked for; all entries by default. */
  readonly sizeDefault?: number;
}

export function pageOf<T>(all: readonly T[], query: Query, rules: PageRules): Page<T> {
  const asked = query.integer('MaxResults');
  const token = query.text('NextToken');
  if (asked !== undefined && asked < rules.sizeMin) {
    throw invalidValue(
      String(asked),
      'maxResults',
      `Expecting a value greater than ${rules.sizeMin}.`,
    );
  }
  if (asked !== undefined && asked > rules.sizeMax) {
    throw invalidValue(
      String(asked),
      'maxResults',
      `Expecting a value less than ${rules.sizeMax}.`,
    );
  }
  const isWhole = asked === undefined && token === undefined;
  const size = Math.min(asked ?? rules.sizeMax, rules.sizeGivenMax);
  const from = token === undefined ? 0 : readToken(token, query);
  const to = from + (isWhole ? (rules.sizeDefault ?? all.length) : size);
  return {
    items: all.slice(from, to),
    nextToken: to < all.length ? tokenOf(to, query) : undefined,
  };
}

/** Where ids are named, EC2 gives all of them. */
export function refuseSizeWithIds(query: Query, ids: readonly string[]): void {
  if (ids.length === 0 || query.text('MaxResults') === undefined) return;
  const message = 'The parameter instancesSet cannot be used with the parameter maxResults';
  throw new EC2Error('InvalidParameterCombination', message);
}

/** A token continues the question that it answers, and no other. */
function tokenOf(from: number, query: Query): string {
  return `page-${from}-${hash('sha1', query.question)}`;
}

function readToken(token: string, query: Query): number {
  const from = Number(/^page-(\d+)-/.exec(token)?.[1]);
  if (token === tokenOf(from, query)) return from;
  throw new EC2Error('InvalidNextToken', `The token '${token}' is invalid`);
}
