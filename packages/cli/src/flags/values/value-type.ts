/**
 * How the value of a flag is written and read. Reading never throws: what cannot be read gives back the
 * text at fault and a reason that completes the sentence `--flag "text" …`.
 */
export interface ValueType<T> {
  /** What stands for the value in help texts, such as `duration`. */
  readonly word: string;
  /** What a flag means that is given without any value; a type without it needs one. */
  readonly bare?: string;
  /** Whether occurrences add up; else the last one counts. */
  readonly addsUp?: true;
  /** From all the texts that were given, in their order; there is at least one. */
  read(texts: readonly string[]): ReadValue<T>;
}

type ReadValue<T> = { readonly kind: 'value'; readonly value: T } | InvalidValue;

interface InvalidValue {
  readonly kind: 'invalid';
  readonly text: string;
  readonly reason: string;
}

/** The value of one text, or why it is none. */
export type Parsed<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'invalid'; readonly reason: string };

export function value<T>(of: T): { readonly kind: 'value'; readonly value: T } {
  return { kind: 'value', value: of };
}

export function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}

/** A flag of which the last occurrence counts; an earlier one must make sense all the same. */
export function single<T>(
  word: string,
  parse: (text: string) => Parsed<T>,
  bare?: string,
): ValueType<T> {
  return {
    word,
    ...(bare === undefined ? {} : { bare }),
    read(texts) {
      const values = parseEach(texts, parse);
      if (values.kind === 'invalid') return values;
      const last = values.value.at(-1);
      return last === undefined ? { ...invalid('has no value'), text: '' } : value(last.parsed);
    },
  };
}

/** A flag whose occurrences add up; each may be a list with commas. */
export function list<T>(word: string, parse: (text: string) => Parsed<T>): ValueType<readonly T[]> {
  return {
    word,
    addsUp: true,
    read(texts) {
      // Upstream reads these as CSV, where quotes would mean something.
      const quoted = texts.find((text) => text.includes('"'));
      if (quoted !== undefined) {
        return { ...invalid('contains a quotation mark: write the list without it'), text: quoted };
      }
      return parsedValues(
        texts.flatMap((text) => (text === '' ? [] : text.split(','))),
        parse,
      );
    },
  };
}

/** A flag whose occurrences add up, each being one value. */
export function repeated<T>(
  word: string,
  parse: (text: string) => Parsed<T>,
): ValueType<readonly T[]> {
  return { word, addsUp: true, read: (texts) => parsedValues(texts, parse) };
}

function parsedValues<T>(
  texts: readonly string[],
  parse: (text: string) => Parsed<T>,
): ReadValue<readonly T[]> {
  const values = parseEach(texts, parse);
  return values.kind === 'invalid' ? values : value(values.value.map(({ parsed }) => parsed));
}

/** Wrapped, so that a value may itself be undefined. */
function parseEach<T>(
  texts: readonly string[],
  parse: (text: string) => Parsed<T>,
): ReadValue<readonly { readonly parsed: T }[]> {
  const values: { parsed: T }[] = [];
  for (const text of texts) {
    const parsed = parse(text);
    if (parsed.kind === 'invalid') return { ...parsed, text };
    values.push({ parsed: parsed.value });
  }
  return value(values);
}
