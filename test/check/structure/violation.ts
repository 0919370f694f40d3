/**
 * What the structure check says: where, what was found, which rule it breaks and what to do
 * instead. A rule gives findings in one file; the check turns them into violations.
 */

type Rule =
  | 'parse'
  | 'import-direction'
  | 'package-door'
  | 'listed-dependency'
  | 'no-export-star'
  | 'switched-off'
  | 'file-name'
  | 'promises';

export interface Finding {
  readonly rule: Rule;
  /** Where it starts in the file's text. */
  readonly offset: number;
  /** What was found and why it is not allowed, as sentences. */
  readonly found: string;
  /** What to do, as sentences. */
  readonly instead: string;
}

export interface Violation extends Omit<Finding, 'offset'> {
  readonly path: string;
  /** Both counted from 1, as editors do. */
  readonly line: number;
  readonly column: number;
}

export function violationAt(path: string, text: string, finding: Finding): Violation {
  const { offset, ...rest } = finding;
  const before = text.slice(0, offset).split('\n');
  return { ...rest, path, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

export function formatViolation(violation: Violation): string {
  const { path, line, column, rule, found, instead } = violation;
  return `${path}:${line}:${column} [${rule}] ${found}\n    ${instead}`;
}
