/** The flags that print something and end the program. */
import {
  type AnyFlag,
  bool,
  type DefaultedFlag,
  invalid,
  parseBool,
  single,
  value,
  type ValueType,
} from '@tandem/cli/flags';

/** The format of the version; `none` if it is not printed. */
type VersionFormat = 'text' | 'raw' | 'none';

const versionType: ValueType<VersionFormat> = single(
  'true|false|raw',
  (text) => {
    if (text === 'raw') return value('raw');
    const parsed = parseBool(text);
    if (parsed.kind !== 'value') return invalid('is not one of true, false, raw');
    return value(parsed.value ? 'text' : 'none');
  },
  'true',
);

export const version: DefaultedFlag<VersionFormat> = {
  name: 'version',
  type: versionType,
  byDefault: 'false',
  help: 'Print the version and exit. --version=raw prints JSON with the Tandem, Kubernetes and Node.js versions.',
};

export const help: DefaultedFlag<boolean> = {
  name: 'help',
  short: 'h',
  type: bool,
  byDefault: 'false',
  help: 'Print this help and exit.',
};

export const programFlags: readonly AnyFlag[] = [version, help];
