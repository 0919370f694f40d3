/** Reads from disk what the structure check looks at. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listTreeFiles } from '../../run/tree-files.ts';
import type { Tree } from './check-structure.ts';
import { parseManifest } from './manifest.ts';

export function readTree(root: string): Tree {
  const paths = listTreeFiles(root);
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  return {
    files: paths.filter(isSource).map((path) => ({ path, text: read(path) })),
    manifests: new Map(
      paths
        .filter((path) => posix.basename(path) === 'package.json')
        .map((path) => [posix.dirname(path), parseManifest(read(path))]),
    ),
  };
}

function isSource(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}
