/**
 * The structure check: keeps the import direction of the house and a few habits that the linter
 * does not know. Pure: files and manifests in, violations out. `read-tree.ts` reads them.
 */
import { checkHabits } from './habits.ts';
import { checkImportDirection } from './import-direction.ts';
import { checkListedDependencies } from './listed-dependency.ts';
import type { Manifests } from './manifest.ts';
import { checkPackageDoor } from './package-door.ts';
import { parseFile, type ParsedFile, type SourceFile } from './source-file.ts';
import { violationAt, type Finding, type Violation } from './violation.ts';

export interface Tree {
  readonly files: readonly SourceFile[];
  readonly manifests: Manifests;
}

/** Violations in the order of the files, and within a file of their place. */
export function checkStructure({ files, manifests }: Tree): Violation[] {
  return files.flatMap((file) =>
    findingsIn(parseFile(file), manifests)
      .toSorted((a, b) => a.offset - b.offset)
      .map((finding) => violationAt(file.path, file.text, finding)),
  );
}

function findingsIn(file: ParsedFile, manifests: Manifests): Finding[] {
  // The syntax tree of a broken file is incomplete, so that the other rules could miss something.
  if (file.parseErrors.length > 0) return parseFindings(file);
  return [
    ...checkHabits(file),
    ...checkImportDirection(file),
    ...checkPackageDoor(file, manifests),
    ...checkListedDependencies(file, manifests),
  ];
}

function parseFindings(file: ParsedFile): Finding[] {
  return file.parseErrors.map(({ message, offset }) => ({
    rule: 'parse',
    offset,
    found: `The file cannot be read: ${message}.`,
    instead: 'Mend the syntax; the other rules look at the file after that.',
  }));
}
