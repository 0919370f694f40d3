/**
 * The rule `import-direction`: packages import only what the table of the house allows them, and
 * never anything from `test/`. Code below `test/` may import whatever it likes.
 */
import { anyProvider, folderOfPackage, house, packageFolderOf, roomOf } from './house.ts';
import type { ModuleUse } from './imports.ts';
import { isTestFile, type ParsedFile } from './source-file.ts';
import type { Finding } from './violation.ts';

export function checkImportDirection(file: ParsedFile): Finding[] {
  const folder = packageFolderOf(file.path);
  if (folder === undefined) return [];
  if (house[roomOf(folder)] === undefined) return [unknownRoom(folder)];
  return file.uses.flatMap((use) => {
    const problem = problemOf(use, { file, folder });
    return problem === undefined
      ? []
      : [{ ...problem, rule: 'import-direction', offset: use.offset }];
  });
}

interface Importer {
  readonly file: ParsedFile;
  readonly folder: string;
}

type Problem = Pick<Finding, 'found' | 'instead'>;

function problemOf(use: ModuleUse, { file, folder }: Importer): Problem | undefined {
  const { target } = use;
  switch (target.kind) {
    case 'computed':
      return computedProblem(folder);
    case 'house':
      return directionProblem(use, { folder, target: folderOfPackage(target.name) });
    case 'file':
      if (target.path.startsWith('test/')) return testProblem(file.path, target.path);
      return isTestFile(target.path) && !isTestFile(file.path) ? fixtureProblem : undefined;
    case 'builtin':
    case 'third-party':
    case 'opaque':
      return undefined;
    default:
      return target satisfies never;
  }
}

function computedProblem(folder: string): Problem | undefined {
  if (house[roomOf(folder)]?.loadsByName) return undefined;
  return {
    found: 'A module is loaded by a computed name, so its direction cannot be checked.',
    instead: 'Write the name as a literal, or add loadsByName in test/check/structure/house.ts.',
  };
}

function directionProblem(
  use: ModuleUse,
  { folder, target }: { readonly folder: string; readonly target: string },
): Problem | undefined {
  const room = house[roomOf(folder)];
  // The package's own name is a matter of doors, not of direction.
  if (room === undefined || target === folder) return undefined;
  if (room.imports.includes(roomOf(target))) return undefined;
  if (room.loads?.includes(roomOf(target))) {
    if (use.form === 'dynamic') return undefined;
    return {
      found: `${folder} loads ${target} only on demand, so that nobody pays for what is not used.`,
      instead: `Use await import('${use.specifier}').`,
    };
  }
  const allowed = [...room.imports, ...(room.loads ?? [])].join(', ');
  return {
    found: `${folder} must not import ${target}. Imports point one way (docs/explanation/architecture.md).`,
    instead:
      `It may import ${allowed === '' ? 'no other package' : allowed}. ` +
      'Move the code to where it may be used from, or pass what is needed as a parameter.',
  };
}

function testProblem(importer: string, target: string): Problem | undefined {
  if (isTestFile(importer) && target.startsWith('test/support/')) return undefined;
  return {
    found: `Packages never import from test/ (${target}).`,
    instead: isTestFile(importer)
      ? 'Move what the test needs to test/support, the one folder there that tests may import.'
      : 'Move the code into a package. Only *.test.ts and *.fixture.ts files may import, and only test/support.',
  };
}

const fixtureProblem: Problem = {
  found: 'What ships imports a file that is for tests only.',
  instead: 'Move what is needed out of the *.test.ts or *.fixture.ts file.',
};

function unknownRoom(folder: string): Finding {
  return {
    rule: 'import-direction',
    offset: 0,
    found: `${folder} is not in the table of the house, so its imports cannot be checked.`,
    instead:
      'Add it to test/check/structure/house.ts with the packages that it may import ' +
      `(${anyProvider} holds for all providers).`,
  };
}
