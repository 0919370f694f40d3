/** What ends the program before it has begun. */
import { type AnyFlag, type DefaultedFlag, honoured } from '../flag.ts';
import { bool, invalid, parseBool, single, value, type ValueType } from '../values/index.ts';

const versionType: ValueType<boolean> = single(
  'true|false|raw',
  (text) => {
    if (text === 'raw') return value(true);
    const parsed = parseBool(text);
    return parsed.kind === 'value' ? parsed : invalid('is none of true, false and raw');
  },
  'true',
);

export const version: DefaultedFlag<boolean> = {
  name: 'version',
  type: versionType,
  byDefault: 'false',
  standing: honoured,
  help: 'Print the version and exit.',
};

export const help: DefaultedFlag<boolean> = {
  name: 'help',
  short: 'h',
  type: bool,
  byDefault: 'false',
  standing: honoured,
  help: 'Print this text and exit.',
};

export const programFlags: readonly AnyFlag[] = [version, help];
