/** The options of lists and watches. Invalid options get the refusals of a kube-apiserver. */
import { type FieldError, forbidden, notSupported } from '../resources/index.ts';
import { refuse, refusals } from './refusal.ts';

type VersionMatch = '' | 'Exact' | 'NotOlderThan';

export interface ListOptions {
  /** Undefined where none is given; 0 means any version. */
  readonly version: number | undefined;
  readonly match: VersionMatch;
  readonly limit: number;
  readonly continueToken: string;
}

export interface WatchOptions {
  readonly version: number | undefined;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

export function isWatch(query: URLSearchParams): boolean {
  return readFlag(query, 'watch') === true;
}

export function readListOptions(query: URLSearchParams): ListOptions {
  const match = readMatch(query);
  const continueToken = query.get('continue') ?? '';
  const text = query.get('resourceVersion') ?? '';
  if (query.has('sendInitialEvents')) {
    refuseOptions([forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')]);
  }
  refuseOptions(matchErrors(text, match, continueToken));
  if (continueToken !== '' && text !== '' && text !== '0') {
    refuse(refusals.badRequest('specifying resource version is not allowed when using continue'));
  }
  const limit = readInteger(query, 'limit') ?? 0;
  const version = readVersion(text, (problem) =>
    refusals.badRequest(`invalid resource version: ${problem}`),
  );
  return { version, match, limit, continueToken };
}

function matchErrors(version: string, match: VersionMatch, token: string): FieldError[] {
  if (match === '') return [];
  const field = 'resourceVersionMatch';
  if (token !== '') return [matchWithContinue];
  if (version === '') {
    return [forbidden(field, `${field} is forbidden unless resourceVersion is provided`)];
  }
  return match === 'Exact' && version === '0'
    ? [forbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`)]
    : [];
}

/** A watch with `continue` gets this refusal too, although it has no match. */
const matchWithContinue = forbidden(
  'resourceVersionMatch',
  'resourceVersionMatch is forbidden when continue is provided',
);

export function readWatchOptions(
  query: URLSearchParams,
  { hasStreamingList }: { readonly hasStreamingList: boolean },
): WatchOptions {
  const sendInitialEvents = readFlag(query, 'sendInitialEvents');
  const match = query.get('resourceVersionMatch') ?? '';
  refuseOptions([
    ...(query.get('continue') ? [matchWithContinue] : []),
    ...watchErrors(match, sendInitialEvents, hasStreamingList),
  ]);
  return {
    version: readVersion(query.get('resourceVersion') ?? '', (problem) => ({
      code: 500,
      message: problem,
    })),
    sendInitialEvents,
    allowBookmarks: readFlag(query, 'allowWatchBookmarks') === true,
    timeoutSeconds: readInteger(query, 'timeoutSeconds'),
  };
}

function watchErrors(
  match: string,
  sendInitialEvents: boolean | undefined,
  hasStreamingList: boolean,
): FieldError[] {
  const field = 'resourceVersionMatch';
  if (sendInitialEvents === undefined) {
    return match === ''
      ? []
      : [forbidden(field, `${field} is forbidden for watch unless sendInitialEvents is provided`)];
  }
  if (!hasStreamingList) {
    const why =
      'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    return [forbidden('sendInitialEvents', why)];
  }
  const wanted = 'NotOlderThan';
  if (match === wanted) return [];
  return [
    forbidden(field, `sendInitialEvents requires setting ${field} to ${wanted}`),
    ...(match === '' ? [] : [notSupported(field, match, [wanted])]),
  ];
}

function refuseOptions(errors: readonly FieldError[]): void {
  if (errors.length > 0) refuse(refusals.invalidOptions('ListOptions', errors));
}

function readMatch(query: URLSearchParams): VersionMatch {
  const match = query.get('resourceVersionMatch') ?? '';
  if (match === '' || match === 'Exact' || match === 'NotOlderThan') return match;
  const supported = ['Exact', 'NotOlderThan', ''];
  return refuse(
    refusals.invalidOptions('ListOptions', [
      notSupported('resourceVersionMatch', match, supported),
    ]),
  );
}

/** Undefined for an empty text. */
export function readVersion(
  text: string,
  refusalFor: (problem: string) => Parameters<typeof refuse>[0],
): number | undefined {
  if (text === '') return undefined;
  const problem = versionProblem(text);
  if (problem === undefined) return Number(text);
  return refuse(refusalFor(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${problem}`));
}

/** Why a text is not a resource version; undefined where it is one. */
export function versionProblem(text: string): string | undefined {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && (text.length < 20 || BigInt(text) < 2n ** 64n)) return undefined;
  const problem = isNumber ? 'value out of range' : 'invalid syntax';
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`;
}

export function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  return refuse(
    refusals.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`),
  );
}

/** A flag is true where it is present and neither `false` nor `0`. */
export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : !['false', '0'].includes(text.toLowerCase());
}
