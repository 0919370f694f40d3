/** The rule `file-name`: a file or folder is named after its one idea. */
import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkFileName({ path }: SourceFile): Finding[] {
  const folders = posix.dirname(path).split('/');
  const [stem = ''] = posix.basename(path).split('.');
  const name = [...folders, stem].find((part) => emptyNames.test(part));
  if (name === undefined) return [];
  return [
    {
      rule: 'file-name',
      offset: 0,
      found: `"${name}" says nothing about what is inside.`,
      instead: 'Name it after the one idea that it holds, or move the code to where it is used.',
    },
  ];
}

const emptyNames = /^(?:utils?|helpers?|common|misc)$/;
