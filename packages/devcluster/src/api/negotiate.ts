/** The form of an answer that a client accepts. The embedded server writes only JSON. */
import { memoize } from '../memoize/index.ts';
import { refuse, refusals } from './refusal.ts';

export type Form = 'object' | 'metadata' | 'table';

/** The first form in the `Accept` header that this server can write. */
export const chooseForm: (accept: string) => Form = memoize((accept) => {
  for (const range of accept.split(',')) {
    const form = formOf(range.trim());
    if (form !== undefined) return form;
  }
  return refuse({
    ...refusals.notAcceptable('406: Not Acceptable\n\nAvailable representations: application/json'),
    details: {},
  });
});

/** Ranges that JSON satisfies. A kube-apiserver does not count `application/*` among them either. */
const writable: ReadonlySet<string> = new Set(['', '*/*', 'application/json']);

function formOf(range: string): Form | undefined {
  const [media = '', ...parameters] = range.split(';');
  if (!writable.has(media.trim())) return undefined;
  if (parameters.length === 0) return 'object';
  const values = new Map(parameters.map((text) => splitOnce(text.trim())));
  const as = values.get('as');
  if (as === undefined) return 'object';
  if (values.get('g') !== 'meta.k8s.io' || values.get('v') !== 'v1') return undefined;
  if (as === 'Table') return 'table';
  const isMetadata = as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';
  return isMetadata ? 'metadata' : undefined;
}

function splitOnce(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=');
  return [name, value];
}
