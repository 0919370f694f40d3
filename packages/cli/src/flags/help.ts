/** The text of `--help` about flags. It derives from their declarations, so that it cannot omit one. */
import type { AnyFlag, FlagGroup, LimitedSupport } from './flag.ts';
import { wrap } from '../options/option-table.ts';

const columns = 96;

/** Each group with its title, every flag with its default. */
export function flagsHelp(groups: readonly FlagGroup[]): string {
  return groups
    .map(({ title, flags }) => `${title} flags:\n\n${flags.map(describe).join('\n')}\n`)
    .join('\n');
}

function describe(flag: AnyFlag): string {
  const indented = wrap(`${flag.help}${remarks(flag)}`, columns - 8).map(
    (line) => `        ${line}`,
  );
  return [`  ${synopsis(flag)}`, ...indented].join('\n');
}

/** `-v, --v int`, and switches without a value. */
export function synopsis({ name, short, type }: AnyFlag): string {
  const long = `${short === undefined ? '' : `-${short}, `}--${name}`;
  return type.bare === undefined ? `${long} ${type.word}` : long;
}

function remarks(flag: AnyFlag): string {
  const byDefault = defaultOf(flag);
  return [
    byDefault === undefined ? '' : ` (default: ${byDefault})`,
    flag.isRequired === undefined ? '' : ' (required)',
    flag.isDeprecated === undefined ? '' : ' Deprecated.',
    flag.support === undefined ? '' : supportRemark(flag.support),
  ].join('');
}

function supportRemark(support: LimitedSupport): string {
  switch (support.kind) {
    case 'accepted':
      return ` No effect: ${support.because}.`;
    case 'refused': {
      const { agreesWith = '' } = support;
      return agreesWith === '' ? ' Not supported.' : ` Only ${agreesWith} is supported.`;
    }
  }
}

/** What holds when the flag is not given, in words or as its value. */
export function defaultOf({ byDefault, otherwise }: AnyFlag): string | undefined {
  return otherwise ?? (byDefault === '' ? undefined : byDefault);
}
