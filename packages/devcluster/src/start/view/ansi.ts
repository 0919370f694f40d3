/** Lines for a terminal. */
import { type Line, textOf, type Tone } from './line.ts';

/** Colours of the terminal's own palette, so that they suit its background. */
const codes: Readonly<Record<Tone, string>> = {
  plain: '',
  strong: '\u001b[1m',
  dim: '\u001b[2m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  warn: '\u001b[33m',
};

const reset = '\u001b[0m';

export type Colours = 'colours' | 'none';

export function toText(line: Line, colours: Colours): string {
  if (colours === 'none') return textOf(line).trimEnd();
  return line
    .map(({ text, tone }) =>
      tone === 'plain' || text === '' ? text : `${codes[tone]}${text}${reset}`,
    )
    .join('');
}
