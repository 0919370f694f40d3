/** Label selectors: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`. */
import { refuse, refusals } from './refusal.ts';

export type Labels = Readonly<Record<string, string>>;
type Matches = (labels: Labels) => boolean;

/** Refuses text that is not a selector. */
export function parseLabelSelector(text: string): Matches {
  const tokens = tokensOf(text);
  const requirements: Matches[] = [];
  for (let next = 0; next < tokens.length;) {
    const { matches, end } = readRequirement(tokens, next);
    requirements.push(matches);
    const separator = tokens[end];
    if (separator !== undefined && separator !== ',') {
      refuse(refusals.badRequest(`found '${separator}', expected: ',' or 'end of string'`));
    }
    next = end + 1;
  }
  return (labels) => requirements.every((matches) => matches(labels));
}

function tokensOf(text: string): string[] {
  return text.match(/[!=]=|[(),!=<>]|[^\s(),!=<>]+/g) ?? [];
}

interface Read {
  readonly matches: Matches;
  readonly end: number;
}

function readRequirement(tokens: readonly string[], start: number): Read {
  const isNegated = tokens[start] === '!';
  const at = isNegated ? start + 1 : start;
  const key = tokens[at] ?? '';
  if (!isWord(key)) {
    refuse(refusals.badRequest(`found '${key}', expected: !, identifier, or 'end of string'`));
  }
  const operator = tokens[at + 1];
  if (isNegated) return { matches: (labels) => !Object.hasOwn(labels, key), end: at + 1 };
  if (operator === undefined || operator === ',') {
    return { matches: (labels) => Object.hasOwn(labels, key), end: at + 1 };
  }
  return readOperator(tokens, { key, operator, at: at + 2 });
}

function readOperator(
  tokens: readonly string[],
  { key, operator, at }: { readonly key: string; readonly operator: string; readonly at: number },
): Read {
  switch (operator) {
    case '=':
    case '==':
      return withValue(tokens, at, (value) => (labels) => valueOf(labels, key) === value);
    case '!=':
      return withValue(tokens, at, (value) => (labels) => valueOf(labels, key) !== value);
    case '>':
      return withValue(tokens, at, (value) => (labels) => Number(valueOf(labels, key)) > +value);
    case '<':
      return withValue(tokens, at, (value) => (labels) => Number(valueOf(labels, key)) < +value);
    case 'in':
    case 'notin': {
      const { values, end } = readSet(tokens, at);
      const isIn: Matches = (labels) => values.has(valueOf(labels, key));
      return { matches: operator === 'in' ? isIn : (labels) => !isIn(labels), end };
    }
    default:
      return refuse(
        refusals.badRequest(
          `unable to parse requirement: found '${operator}', expected: in, notin, =, ==, !=, gt, lt`,
        ),
      );
  }
}

/** A value may be empty: `a=` selects objects whose label `a` is empty. */
function withValue(
  tokens: readonly string[],
  at: number,
  matcher: (value: string) => Matches,
): Read {
  const token = tokens[at];
  const isEmpty = token === undefined || token === ',';
  return { matches: matcher(isEmpty ? '' : token), end: isEmpty ? at : at + 1 };
}

function readSet(
  tokens: readonly string[],
  at: number,
): { readonly values: ReadonlySet<string | undefined>; readonly end: number } {
  if (tokens[at] !== '(') {
    refuse(
      refusals.badRequest(`unable to parse requirement: found '${tokens[at] ?? ''}' expected: '('`),
    );
  }
  const end = tokens.indexOf(')', at);
  if (end < 0)
    refuse(refusals.badRequest("unable to parse requirement: found '', expected: ',' or ')'"));
  const values = tokens.slice(at + 1, end).filter((token) => token !== ',');
  return { values: new Set(values), end: end + 1 };
}

function isWord(token: string): boolean {
  return token !== '' && !/^[(),!=<>]/.test(token);
}

function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
