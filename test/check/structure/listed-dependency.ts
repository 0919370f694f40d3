/**
 * The rule `listed-dependency`: a package lists what it imports in its own `package.json`, because
 * npm's flat `node_modules` would hide a missing entry until another package removes its own.
 */
import { packageFolderOf, packageNameOf } from './house.ts';
import { emptyManifest, type Manifests } from './manifest.ts';
import { isTestFile, type ParsedFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkListedDependencies(file: ParsedFile, manifests: Manifests): Finding[] {
  const folder = packageFolderOf(file.path);
  const isListed = listedFor(file.path, folder, manifests);
  return file.uses.flatMap(({ target, offset }): Finding[] => {
    if (target.kind !== 'third-party' && target.kind !== 'house') return [];
    if (isListed(target.name)) return [];
    return [
      {
        rule: 'listed-dependency',
        offset,
        found: `"${target.name}" is imported but not listed in ${manifestPath(folder)}.`,
        instead:
          folder === undefined
            ? 'Add it to the devDependencies there.'
            : 'Add it to the dependencies there. A new runtime dependency needs a decision record.',
      },
    ];
  });
}

function listedFor(
  path: string,
  folder: string | undefined,
  manifests: Manifests,
): (name: string) => boolean {
  const root = manifests.get('.') ?? emptyManifest;
  // Below test/, every workspace package is linked into the root's node_modules.
  if (folder === undefined) {
    return (name) =>
      name.startsWith('@tandem/') || isIn(name, root.dependencies, root.devDependencies);
  }
  const own = manifests.get(folder) ?? emptyManifest;
  const itself = packageNameOf(folder);
  return isTestFile(path)
    ? (name) =>
        name === itself || isIn(name, own.dependencies, own.devDependencies, root.devDependencies)
    : (name) => name === itself || isIn(name, own.dependencies);
}

function isIn(name: string, ...sets: readonly ReadonlySet<string>[]): boolean {
  return sets.some((set) => set.has(name));
}

function manifestPath(folder: string | undefined): string {
  return folder === undefined ? 'package.json' : `${folder}/package.json`;
}
