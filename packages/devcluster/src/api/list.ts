/**
 * Lists, in pages on request. All pages of a list show one version, whatever changes in between. Once the
 * store has forgotten that version, further pages are refused with 410 and never filled from a newer version.
 */
import { isJsonObject, type JsonObject, textAt } from '../json/index.ts';
import { keyOf, type StoredObject } from '../store/index.ts';
import { type ListOptions, readListOptions } from './list-options.ts';
import { refuse, refusals } from './refusal.ts';
import type { ResourceRoute } from './route.ts';
import { readSelection } from './selection.ts';
import { collectionOf, type ApiContext } from './api-context.ts';

export interface Listed {
  readonly objects: readonly StoredObject[];
  readonly metadata: JsonObject;
}

export function listObjects(
  context: ApiContext,
  route: ResourceRoute,
  { staleVersion }: { readonly staleVersion: number | undefined },
): Listed {
  const options = readListOptions(route.query);
  const { matches, isSelective } = readSelection(route);
  const collection = collectionOf(context, route.resource);
  const { version, after } = listStartOf(options, { newest: context.store.version, staleVersion });
  const all = version === context.store.version ? collection.list() : collection.listAt(version);
  if (all === undefined) return refuse(expiredBy(options));
  const matching = all.filter((object) => matches(object) && keyOf(object) > after);
  // A client that accepts any version gets the whole list at once.
  const limit = options.version === 0 || options.limit <= 0 ? matching.length : options.limit;
  const objects = matching.slice(0, limit);
  const remaining = matching.length - objects.length;
  const last = objects.at(-1);
  return {
    objects,
    metadata: {
      resourceVersion: String(version),
      ...(remaining > 0 && last !== undefined ? { continue: tokenOf(version, keyOf(last)) } : {}),
      ...(remaining > 0 && !isSelective ? { remainingItemCount: remaining } : {}),
    },
  };
}

interface ListStart {
  readonly version: number;
  /** The key of the last object on the previous page. */
  readonly after: string;
}

function listStartOf(
  options: ListOptions,
  { newest, staleVersion }: { readonly newest: number; readonly staleVersion: number | undefined },
): ListStart {
  if (options.continueToken !== '') {
    const start = readToken(options.continueToken);
    if (start.version > newest) refuse(refusals.versionTooLarge(start.version, newest));
    return start;
  }
  const { version: asked, match, limit } = options;
  const current = asked === undefined ? newest : (staleVersion ?? newest);
  if (asked !== undefined && asked > current) refuse(refusals.versionTooLarge(asked, current));
  // Without a match, a limit makes a version exact.
  const isExact = match === 'Exact' || (match === '' && limit > 0 && asked !== 0);
  return { version: isExact && asked !== undefined ? asked : current, after: '' };
}

function expiredBy({ continueToken }: ListOptions): Parameters<typeof refuse>[0] {
  return refusals.expired(
    continueToken === ''
      ? 'The resourceVersion for the provided list is too old.'
      : 'The provided continue parameter is too old to display a consistent list result. Start a new list without the continue parameter.',
  );
}

/** Has the form that a kube-apiserver uses, so that clients recognise it. */
function tokenOf(version: number, key: string): string {
  const token = { v: 'meta.k8s.io/v1', rv: version, start: `${key}\0` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function readToken(text: string): ListStart {
  const token = parseToken(Buffer.from(text, 'base64url').toString());
  const version = isJsonObject(token) ? token['rv'] : undefined;
  const start = textAt(token, 'start');
  if (typeof version !== 'number' || !start.endsWith('\0')) {
    return refuse(refusals.badRequest('invalid continue token: continue key is not valid'));
  }
  return { version, after: start.slice(0, -1) };
}

function parseToken(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
