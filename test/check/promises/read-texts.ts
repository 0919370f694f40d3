/** Reads from disk what may cite a promise: sources, tests, manifests and documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTreeFiles } from '../../run/tree-files.ts';
import type { TextFile } from './check-promises.ts';

export function readTexts(root: string): TextFile[] {
  return listTreeFiles(root)
    .filter((path) => /\.(?:[cm]?[jt]s|go|md|ya?ml)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
