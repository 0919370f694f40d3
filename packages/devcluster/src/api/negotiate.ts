/** In which form an answer is wanted. The embedded server writes JSON and nothing else. */
import { remember } from '../remember/index.ts';
import { refuse, refusals } from './refusal.ts';

export type Form = 'object' | 'metadata' | 'table';

interface ChosenForm {
  readonly form: Form;
  /** Of tables and metadata: the version of these that old clients ask for. */
  readonly metaVersion: MetaVersion;
}

export type MetaVersion = 'v1' | 'v1beta1';

/** The first form of the list that can be had. */
export const chooseForm: (accept: string) => ChosenForm = remember((accept) => {
  for (const range of accept.split(',')) {
    const form = formOf(range.trim());
    if (form !== undefined) return form;
  }
  return refuse({
    ...refusals.notAcceptable('406: Not Acceptable\n\nAvailable representations: application/json'),
    details: {},
  });
});

/** What an answer in JSON satisfies; `application/*` does not, for a kube-apiserver either. */
const writable: ReadonlySet<string> = new Set(['', '*/*', 'application/json']);

const whole: ChosenForm = { form: 'object', metaVersion: 'v1' };

function formOf(range: string): ChosenForm | undefined {
  const [media = '', ...parameters] = range.split(';');
  if (!writable.has(media.trim())) return undefined;
  if (parameters.length === 0) return whole;
  const values = new Map(parameters.map((text) => splitOnce(text.trim())));
  const as = values.get('as');
  if (as === undefined) return whole;
  const metaVersion = values.get('v');
  if (values.get('g') !== 'meta.k8s.io') return undefined;
  if (metaVersion !== 'v1' && metaVersion !== 'v1beta1') return undefined;
  if (as === 'Table') return { form: 'table', metaVersion };
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? { form: 'metadata', metaVersion }
    : undefined;
}

function splitOnce(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=');
  return [name, value];
}
