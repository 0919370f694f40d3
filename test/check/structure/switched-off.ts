/**
 * The rule `switched-off`: no comment turns a check off. A rule that is wrong somewhere is wrong, and
 * is changed where everybody sees it.
 */
import type { ParsedFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkSwitchedOff({ comments }: ParsedFile): Finding[] {
  return comments
    .filter(({ value }) => switches.test(value))
    .map(({ value, start }) => ({
      rule: 'switched-off',
      offset: start,
      found: `A comment turns a check off: "${value.trim().slice(0, 60)}".`,
      instead:
        'Mend what the check reports, or change its rule for all files in its configuration.',
    }));
}

const switches =
  /^[\s*]*(?:(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck)\b|oxfmt-ignore)/;
