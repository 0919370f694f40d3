/**
 * Chooses the form of `/statusz` and `/flagz`. Text for people is the default. A client gets the structured form only if it
 * names kind, version and group explicitly, so that no client relies on a form by accident (KEP-4827, KEP-4828).
 */
export type Form = 'text' | 'json' | 'yaml';

export const zGroup = 'config.k8s.io';
export const zVersion = 'v1beta1';

/** Returns undefined if the client accepts none of the forms, which leads to a 406. */
export function formFor(accept: string | undefined, kind: string): Form | undefined {
  if (accept === undefined || accept.trim() === '') return 'text';
  const clauses = accept.split(',').map(readClause);
  // The sort is stable, so clauses with the same quality keep their order.
  const byQuality = clauses.filter(({ q }) => q > 0).toSorted((a, b) => b.q - a.q);
  return byQuality.map((clause) => formOf(clause, kind)).find((form) => form !== undefined);
}

/** Returns the content type, with the parameters in upstream's order. */
export function contentTypeOf(type: 'json' | 'yaml', kind: string): string {
  return `application/${type};g=${zGroup};v=${zVersion};as=${kind}`;
}

/** Returns the available content types, for messages. */
export function formsOf(kind: string): string[] {
  const as = `;as=${kind};v=${zVersion};g=${zGroup}`;
  return ['text/plain', `application/json${as}`, `application/yaml${as}`];
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly q: number;
}

function readClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(
    rest.map((part) => {
      const [name = '', value = ''] = part.split('=', 2).map((side) => side.trim());
      return [name.toLowerCase(), value.replace(/^"(.*)"$/, '$1')] as const;
    }),
  );
  const q = Number(parameters.get('q') ?? '1');
  return { type: type.toLowerCase(), parameters, q: Number.isNaN(q) ? 0 : q };
}

function formOf({ type, parameters }: Clause, kind: string): Form | undefined {
  const asked = ['as', 'v', 'g'].map((name) => parameters.get(name));
  const isPlain = asked.every((value) => value === undefined);
  if (textTypes.has(type)) return isPlain ? 'text' : undefined;
  const [as, version, group] = asked;
  const isExact = as === kind && version === zVersion && group === zGroup;
  return isExact ? structured.get(type) : undefined;
}

const textTypes: ReadonlySet<string> = new Set(['text/plain', 'text/*', '*/*']);

const structured: ReadonlyMap<string, Form> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
]);
