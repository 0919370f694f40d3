/**
 * Lists the files that belong to the tree: what git tracks or would track, or, where there is no
 * git (an unpacked archive), everything but installed and built files. Shared by the test run and
 * by the structure check, so that both judge the same tree.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths relative to `root`, with forward slashes, sorted. Deleted files are left out. */
export function listTreeFiles(root: string): string[] {
  const listed = listWithGit(root) ?? listWithoutGit(root, '');
  return listed
    .filter((file) => !file.startsWith('dist/'))
    .filter((file) => !file.split('/').some((part) => skippedFolders.has(part)))
    .toSorted();
}

const skippedFolders = new Set(['node_modules', '.git']);

const listingBytesMax = 64 * 1024 * 1024;

function listWithGit(root: string): string[] | undefined {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const git = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: listingBytesMax });
  if (git.status !== 0) return undefined;
  // A file that is in the index twice (a merge conflict) is listed twice.
  const files = new Set(git.stdout.split('\0'));
  return [...files].filter((file) => file !== '' && existsSync(join(root, file)));
}

function listWithoutGit(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (skippedFolders.has(entry.name)) return [];
    return entry.isDirectory() ? listWithoutGit(root, path) : [path];
  });
}
