/**
 * The rule `package-door`: a package is entered by its name and through its `exports`, and left
 * the same way. This holds below `test/` too.
 */
import { posix } from 'node:path';
import { folderOfPackage, packageFolderOf, packageNameOf } from './house.ts';
import type { ModuleUse } from './imports.ts';
import { emptyManifest, type Manifest, type Manifests } from './manifest.ts';
import type { ParsedFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkPackageDoor(file: ParsedFile, manifests: Manifests): Finding[] {
  return file.uses.flatMap((use) => {
    const problem = problemOf(use, file.path, manifests);
    return problem === undefined ? [] : [{ ...problem, rule: 'package-door', offset: use.offset }];
  });
}

type Problem = Pick<Finding, 'found' | 'instead'>;

function problemOf(use: ModuleUse, importer: string, manifests: Manifests): Problem | undefined {
  const { target } = use;
  switch (target.kind) {
    case 'file':
      return relativeProblem(importer, target.path);
    case 'house':
      return nameProblem(target, importer, manifests);
    case 'opaque':
      return {
        found: `"${use.specifier}" is an absolute path, a URL or a # name.`,
        instead: 'Use a relative path inside the package, or a package name.',
      };
    case 'builtin':
    case 'third-party':
    case 'computed':
      return undefined;
    default:
      return target satisfies never;
  }
}

function relativeProblem(importer: string, target: string): Problem | undefined {
  const own = packageFolderOf(importer);
  const other = packageFolderOf(target);
  if (other === own) return target.startsWith('..') ? outside(target) : undefined;
  if (other !== undefined) {
    return {
      found: `A relative path leads into ${other}.`,
      instead: `Import "${packageNameOf(other)}" by its name; export there what is needed.`,
    };
  }
  // What a package imports from test/ is a matter of direction.
  return target.startsWith('test/') ? undefined : outside(target);
}

function outside(target: string): Problem {
  return {
    found: `A relative path leaves the package to ${target}.`,
    instead: 'Move what is needed into a package, or pass it as a parameter.',
  };
}

function nameProblem(
  { name, subpath }: { readonly name: string; readonly subpath: string },
  importer: string,
  manifests: Manifests,
): Problem | undefined {
  const folder = folderOfPackage(name);
  if (folder === packageFolderOf(importer)) {
    return {
      found: `${folder} imports itself by name.`,
      instead: 'Use a relative path inside the package.',
    };
  }
  const doors = doorsOf(manifests.get(folder) ?? emptyManifest);
  // A star stands for one folder, which has its own index.ts as a door, and for no path below it.
  if (doors.some((door) => posix.matchesGlob(subpath, door))) return undefined;
  return {
    found: `"${name}${subpath.slice(1)}" reaches past the exports of ${folder}/package.json.`,
    instead:
      `Import from ${doors.map((door) => `"${name}${door.slice(1)}"`).join(' or ')}, ` +
      'and export there what is needed.',
  };
}

function doorsOf(manifest: Manifest): string[] {
  return manifest.exports.size > 0 ? [...manifest.exports] : ['.'];
}
