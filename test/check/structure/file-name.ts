/** The rule `file-name`: a file is named after its one idea and lies where the checks look. */
import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkFileName({ path }: SourceFile): Finding[] {
  const folders = posix.dirname(path).split('/');
  const [stem = ''] = posix.basename(path).split('.');
  const name = [...folders, stem].find((part) => emptyNames.test(part));
  if (name !== undefined) {
    return [
      finding(
        `"${name}" says nothing about what is inside.`,
        'Name it after the one idea that it holds, or move the code to where it is used.',
      ),
    ];
  }
  // The linter looks for its settings at the root.
  if (!/^(?:packages|providers|test|tools)\/|^oxlint\.config\.ts$/.test(path)) {
    return [
      finding('A source lies outside the house.', 'Move it to packages, providers, test or tools.'),
    ];
  }
  if (/\.[jt]sx$/.test(path)) {
    return [finding('There is no JSX here, and Node cannot run it.', 'Name the file *.ts.')];
  }
  return [];
}

function finding(found: string, instead: string): Finding {
  return { rule: 'file-name', offset: 0, found, instead };
}

const emptyNames = /^(?:utils?|helpers?|common|misc)$/;
