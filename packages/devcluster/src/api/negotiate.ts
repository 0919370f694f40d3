/** In which form an answer is wanted. The embedded server writes JSON and nothing else. */
import { refuse, refusals } from './refusal.ts';

export type Form = 'object' | 'metadata' | 'table';

/** The first form of the list that can be had. */
export function chooseForm(accept: string | undefined): Form {
  for (const range of (accept ?? '').split(',')) {
    const form = formOf(range.trim());
    if (form !== undefined) return form;
  }
  return refuse({
    ...refusals.notAcceptable('406: Not Acceptable\n\nAvailable representations: application/json'),
    details: {},
  });
}

/** What an answer in JSON satisfies. */
const writable: ReadonlySet<string> = new Set(['', '*/*', 'application/*', 'application/json']);

function formOf(range: string): Form | undefined {
  const [media = '', ...parameters] = range.split(';');
  if (!writable.has(media.trim())) return undefined;
  const values = new Map(parameters.map((text) => splitOnce(text.trim())));
  const as = values.get('as');
  if (as === undefined) return 'object';
  if (values.get('g') !== 'meta.k8s.io' || values.get('v') !== 'v1') return undefined;
  if (as === 'Table') return 'table';
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? 'metadata'
    : undefined;
}

function splitOnce(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=');
  return [name, value];
}
