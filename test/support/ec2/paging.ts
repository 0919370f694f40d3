/** Pages as EC2 has them: as many entries as were asked for, or fewer, and a token for the rest. */
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
}

export function pageOf<T>(all: readonly T[], query: Query, rules: PageRules): Page<T> {
  const asked = query.integer('MaxResults');
  const token = query.text('NextToken');
  if (asked === undefined && token === undefined) return { items: all, nextToken: undefined };
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
  const from = token === undefined ? 0 : readToken(token);
  const to = from + Math.min(asked ?? rules.sizeMax, rules.sizeGivenMax);
  return { items: all.slice(from, to), nextToken: to < all.length ? `page-${to}` : undefined };
}

function readToken(token: string): number {
  const from = /^page-(\d+)$/.exec(token)?.[1];
  if (from === undefined) throw new EC2Error('InvalidNextToken', `The token '${token}' is invalid`);
  return Number(from);
}
