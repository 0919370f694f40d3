/**
 * A list in pages, for servers that do not stream lists. All pages are of one version. If the server
 * forgets that version before the last page, the list starts again.
 */
import { CcmError } from '@tandem/runtime';
import {
  acceptHeader,
  codecOf,
  DecodeError,
  isOlder,
  isVersion,
  keyOf,
  type ListPage,
  type ObjectFacts,
} from '../codec/index.ts';
import type { Listing } from './mirror.ts';
import { endingOfError, type Step } from './step.ts';
import { keepList, type Outcome, type StepParts } from './step-parts.ts';
import { SubscriberFailedError } from './subscribers.ts';

type PagesStep = Extract<Step, { kind: 'pages' }>;

/** Returns how it ended. Rejects only if a subscriber failed. */
export async function takePages<T extends ObjectFacts>(
  parts: StepParts<T>,
  step: PagesStep,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await keepPages(parts, step, signal);
  } catch (err) {
    if (err instanceof SubscriberFailedError) throw err;
    const ending = signal.aborted ? 'stopped' : endingOfError(err);
    return { ending, isComplete: false, err };
  }
}

/**
 * Reads a consistent list and takes it in beside the current watch. Afterwards the mirror holds
 * everything that was stored before the call. Rejects as the client does, or with a `DecodeError`. Rejects
 * also if the list is older than the mirror was at the call: the server was restored, and the mirror shows
 * objects that no longer exist and lacks others until the watch has followed the server back.
 */
export async function overtakeByPages<T extends ObjectFacts>(
  parts: StepParts<T>,
  signal: AbortSignal,
): Promise<void> {
  const consistentAtMs = parts.clock.monotonic();
  const { version } = parts.mirror;
  const list = await readPages(parts, {}, signal);
  if (version !== undefined && isOlder(list.resourceVersion, version)) throw wentBack();
  parts.mirror.overtake({ ...list, consistentAtMs });
}

async function keepPages<T extends ObjectFacts>(
  parts: StepParts<T>,
  { atLeast }: PagesStep,
  signal: AbortSignal,
): Promise<Outcome> {
  const query =
    atLeast === undefined ? {} : { resourceVersion: atLeast, resourceVersionMatch: 'NotOlderThan' };
  const { overtakes } = parts.mirror;
  const consistentAtMs = atLeast === undefined ? parts.clock.monotonic() : undefined;
  const list = await readPages(parts, query, signal);
  // A list that overtook this one was requested later.
  const mayGoBack = atLeast === undefined && parts.mirror.overtakes === overtakes;
  const isKept = keepList(parts, { ...list, mayGoBack, consistentAtMs }) === 'kept';
  parts.telemetry.progressed(parts.mirror.objects.size, parts.clock.monotonic());
  return { ending: isKept ? 'listed' : 'stale', isComplete: isKept };
}

async function readPages<T extends ObjectFacts>(
  parts: StepParts<T>,
  firstQuery: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Pick<Listing<T>, 'objects' | 'resourceVersion'>> {
  const { mirror, telemetry, limits } = parts;
  const objects = new Map<string, T>();
  let query = firstQuery;
  for (let pages = 1; pages <= limits.pagesMax; pages += 1) {
    const page = await readPage(parts, query, signal);
    for (const object of page.items) objects.set(keyOf(object), object);
    if (page.continueToken === '') return { objects, resourceVersion: page.resourceVersion };
    telemetry.progressed(mirror.objects.size, parts.clock.monotonic());
    query = { continue: page.continueToken };
  }
  throw new DecodeError(`A list has more than ${limits.pagesMax} pages`);
}

function wentBack(): CcmError {
  const message = 'A consistent list was older than the cache: the API server was restored';
  return new CcmError(message, { code: 'ListWentBack', retry: 'backoff', effect: 'none' });
}

async function readPage<T extends ObjectFacts>(
  { client, resource, selectors, encoding, limits, reader }: StepParts<T>,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ListPage<T>> {
  const { headers, body } = await client.call({
    verb: 'list',
    resource,
    query: { ...selectors, limit: String(limits.pageSize), ...query },
    accept: acceptHeader('list', encoding),
    limitMs: limits.answerMs,
    signal,
  });
  const page = codecOf(headers).readList(body, reader);
  if (!isVersion(page.resourceVersion)) throw new DecodeError('A list has no resourceVersion');
  return page;
}
