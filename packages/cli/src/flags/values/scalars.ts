/** Booleans, numbers, words and strings. */
import { goDuration, parseDuration } from '../../duration/duration.ts';
import { invalid, type Parsed, single, value, type ValueType } from './value-type.ts';

/** As Go reads it. Without a value it is true. */
export const bool: ValueType<boolean> = single('bool', parseBool, 'true');

export function parseBool(text: string): Parsed<boolean> {
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return value(true);
  if (/^(?:0|f|F|FALSE|false|False)$/.test(text)) return value(false);
  return invalid('is neither true nor false');
}

export function int({ min, max }: { min: number; max: number }): ValueType<number> {
  return single('int', (text) => {
    const number = /^[-+]?(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
    if (number === undefined) return invalid('is not a whole number');
    if (number >= min && number <= max) return value(number);
    return invalid(`is out of range: use ${min} to ${max}`);
  });
}

/** The maximum of upstream's counts, which have 32 bits. */
export const int32Max: number = 2 ** 31 - 1;

export const port: ValueType<number> = int({ min: 0, max: 65_535 });

export const float: ValueType<number> = single('float', (text) => {
  const isNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/.test(text);
  return isNumber && Number.isFinite(Number(text))
    ? value(Number(text))
    : invalid('is not a number');
});

/** Any text. An empty text counts as not given. */
export const optionalText: ValueType<string | undefined> = single('string', (text) =>
  value(text === '' ? undefined : text),
);

/** A path; an empty one counts as not given. */
export const file: ValueType<string | undefined> = single('file', (text) =>
  text.includes('\0') ? invalid('is not a path') : value(text === '' ? undefined : text),
);

/** The path of a directory; an empty one counts as not given. */
export const directory: ValueType<string | undefined> = { ...file, word: 'directory' };

export function choice<T extends string>(word: string, choices: readonly T[]): ValueType<T> {
  return single(word, (text) => {
    const found = choices.find((one) => one === text);
    return found === undefined ? invalid(`is not one of ${choices.join(', ')}`) : value(found);
  });
}

/** A number of bytes with or without a unit, as Kubernetes writes quantities. */
export const quantity: ValueType<string> = single('quantity', (text) =>
  /^\d+(?:\.\d+)?(?:[kKMGTPE]|[KMGTPE]i)?$/.test(text)
    ? value(text)
    : invalid('is not a size: write a number of bytes, such as 512, 1K or 2Ki'),
);

/** In milliseconds, at least `minMs`, which is 0 by default. */
export function duration({ minMs = 0 }: { minMs?: number } = {}): ValueType<number> {
  return single('duration', (text) => {
    const parsed = parseDuration(text);
    if (parsed.kind === 'invalid' || parsed.value >= minMs) return parsed;
    return invalid(`is too short: the minimum is ${goDuration(minMs)}`);
  });
}
