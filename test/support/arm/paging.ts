/** Pages as ARM has them: a list and a link to the rest, which is followed as it stands. */
import { ArmError } from './error.ts';
import type { ArmRequest } from './request.ts';

interface PageOptions {
  readonly url: string;
  readonly size: number;
  /** ARM promises no order; the fake turns it round with every other list. */
  readonly isReversed: boolean;
}

/** The items of a page are rendered, the others are not. */
export function pageJson(
  all: readonly (() => unknown)[],
  request: ArmRequest,
  options: PageOptions,
): unknown {
  const token = request.query['$skiptoken'];
  const { from, isReversed } =
    token === undefined ? { from: 0, isReversed: options.isReversed } : readToken(token);
  const ordered = isReversed ? all.toReversed() : all;
  const value = ordered.slice(from, from + options.size).map((render) => render());
  const next = from + options.size;
  if (next >= ordered.length) return { value };
  const query = new URLSearchParams(request.query);
  query.set(
    '$skiptoken',
    Buffer.from(JSON.stringify({ from: next, isReversed })).toString('base64url'),
  );
  return { value, nextLink: `${options.url}${request.path}?${query.toString()}` };
}

function readToken(token: string): { readonly from: number; readonly isReversed: boolean } {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch (err) {
    throw new ArmError('InvalidSkipToken', `The skip token '${token}' is invalid: ${String(err)}`);
  }
}
