/**
 * The house and its import direction, as data: which package may import which. This
 * table is the one place to change when a package is added.
 */
import { posix } from 'node:path';

interface Room {
  /** Rooms whose packages may be imported in any form. */
  readonly imports: readonly string[];
  /** Rooms that may only be loaded on demand with `import()`. */
  readonly loads?: readonly string[];
  /** Whether `import()` may take a name that is only known at run time. */
  readonly loadsByName?: true;
}

/** All providers share one room: they obey the same rules and never import each other. */
export const anyProvider = 'providers/*';

export const house: Readonly<Record<string, Room>> = {
  'packages/core': { imports: [] },
  'packages/runtime': { imports: [] },
  'packages/provider': { imports: ['packages/core', 'packages/runtime'] },
  'packages/kube': { imports: ['packages/core', 'packages/runtime'] },
  'packages/controllers': {
    imports: ['packages/core', 'packages/kube', 'packages/provider', 'packages/runtime'],
  },
  'packages/serving': { imports: ['packages/cli', 'packages/kube', 'packages/runtime'] },
  'packages/cli': { imports: ['packages/core'] },
  'packages/manager': {
    imports: [
      'packages/cli',
      'packages/controllers',
      'packages/core',
      'packages/kube',
      'packages/provider',
      'packages/runtime',
      'packages/serving',
    ],
    loads: [anyProvider],
    // `--cloud-provider` takes the path or name of anybody's module.
    loadsByName: true,
  },
  'packages/kubectl-nodeip': {
    imports: [
      'packages/cli',
      'packages/core',
      'packages/kube',
      'packages/provider',
      'packages/runtime',
    ],
  },
  'packages/devcluster': {
    imports: [
      'packages/cli',
      'packages/controllers',
      'packages/core',
      'packages/kube',
      'packages/manager',
      'packages/provider',
      'packages/runtime',
      'packages/serving',
      anyProvider,
    ],
  },
  [anyProvider]: {
    imports: ['packages/cli', 'packages/core', 'packages/provider', 'packages/runtime'],
  },
};

/** The folder of the workspace package that a file belongs to; undefined below `test/`. */
export function packageFolderOf(path: string): string | undefined {
  const [area, name] = path.split('/');
  const isPackage = area === 'packages' || area === 'providers';
  return isPackage && name !== undefined ? `${area}/${name}` : undefined;
}

/** The key of a package folder in the table above. */
export function roomOf(folder: string): string {
  return folder.startsWith('providers/') ? anyProvider : folder;
}

/** The folder of the package that is called this: `@tandem/core`, `@tandem/provider-aws`. */
export function folderOfPackage(name: string): string {
  const bare = name.slice('@tandem/'.length);
  return bare.startsWith('provider-')
    ? posix.join('providers', bare.slice('provider-'.length))
    : posix.join('packages', bare);
}

export function packageNameOf(folder: string): string {
  const name = posix.basename(folder);
  return folder.startsWith('providers/') ? `@tandem/provider-${name}` : `@tandem/${name}`;
}
