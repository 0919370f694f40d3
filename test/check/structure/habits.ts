/**
 * Habits that the linter does not know. `file-name`: a file is named after its one idea and lies where the checks
 * look. `no-export-star`: a door lists what it lets through. `switched-off`: no comment turns a check off; a rule
 * that is wrong somewhere is changed for all files.
 */
import { posix } from 'node:path';
import type { ParsedFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkHabits(file: ParsedFile): Finding[] {
  return [...checkFileName(file.path), ...checkExportStar(file), ...checkSwitchedOff(file)];
}

function checkFileName(path: string): Finding[] {
  const finding = (found: string, instead: string): Finding[] => [
    { rule: 'file-name', offset: 0, found, instead },
  ];
  const folders = posix.dirname(path).split('/');
  const [stem = ''] = posix.basename(path).split('.');
  const name = [...folders, stem].find((part) => emptyNames.test(part));
  if (name !== undefined) {
    return finding(
      `"${name}" says nothing about what is inside.`,
      'Name it after the one idea that it holds, or move the code to where it is used.',
    );
  }
  // The linter looks for its settings at the root.
  if (!/^(?:packages|providers|test|tools)\/|^oxlint\.config\.ts$/.test(path)) {
    return finding(
      'A source lies outside the house.',
      'Move it to packages, providers, test or tools.',
    );
  }
  if (/\.[jt]sx$/.test(path)) {
    return finding('There is no JSX here, and Node cannot run it.', 'Name the file *.ts.');
  }
  return [];
}

const emptyNames = /^(?:utils?|helpers?|common|misc)$/;

function checkExportStar({ program }: ParsedFile): Finding[] {
  return program.body
    .filter((statement) => statement.type === 'ExportAllDeclaration')
    .map((statement) => ({
      rule: 'no-export-star',
      offset: statement.start,
      found: 'export * hides what is exported.',
      instead: "List the names: export { a, type B } from './file.ts'.",
    }));
}

function checkSwitchedOff({ comments }: ParsedFile): Finding[] {
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
