/**
 * How the value of a flag is written and read. Reading never throws: for an invalid value it returns the
 * text at fault and a reason that completes the sentence `--flag "text" …`.
 */
export interface ValueType<T> {
  /** The placeholder for the value in help texts, such as `duration`. */
  readonly word: string;
  /** The text that a flag without a value implies. If undefined, the flag requires a value. */
  readonly bare?: string;
  /** Whether occurrences add up; else the last one counts. */
  readonly addsUp?: true;
  /** Reads all texts that were given, in their order. There is at least one. */
  read(texts: readonly string[]): ReadValue<T>;
}

type ReadValue<T> = { readonly kind: 'value'; readonly value: T } | InvalidValue;

interface InvalidValue {
  readonly kind: 'invalid';
  readonly text: string;
  readonly reason: string;
}

/** The value of one text, or why the text is invalid. */
export type Parsed<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'invalid'; readonly reason: string };

export function value<T>(of: T): { readonly kind: 'value'; readonly value: T } {
  return { kind: 'value', value: of };
}

export function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}

/** A flag whose last occurrence counts. Earlier occurrences must be valid too. */
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
      // Upstream reads these as CSV, in which quotation marks have a meaning.
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

/** Wraps each value, because a value may be undefined. */
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
