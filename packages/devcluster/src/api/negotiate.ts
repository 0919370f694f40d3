/** In which form an answer is wanted. The embedded server writes JSON and nothing else. */
import { refuse, refusals } from './refusal.ts';

export type Form = 'object' | 'metadata' | 'table';

/** The first form of the list that can be had. */
export function chooseForm(accept: string | undefined): Form {
  const ranges = (accept ?? '').split(',').map((range) => range.trim());
  for (const range of ranges) {
    const form = formOf(range);
    if (form !== undefined) return form;
  }
  return refuse({
    ...refusals.notAcceptable('406: Not Acceptable\n\nAvailable representations: application/json'),
    details: {},
  });
}

function formOf(range: string): Form | undefined {
  const [media = '', ...parameters] = range.split(';').map((part) => part.trim());
  if (!['', '*/*', 'application/*', 'application/json'].includes(media)) return undefined;
  const values = new Map(parameters.map((text) => splitOnce(text)));
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
