/** The steps of `npm run check`, in their order, each with what to do when it fails. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTreeFiles } from '../run/tree-files.ts';
import { checkPromises, type TextFile } from './promises/check-promises.ts';
import { checkStructure } from './structure/check-structure.ts';
import { readTree } from './structure/read-tree.ts';
import { formatViolation, type Violation } from './structure/violation.ts';
import { runTool, type ToolResult } from './tool.ts';

export interface Step {
  readonly name: string;
  readonly run: (root: string) => Promise<ToolResult>;
  readonly whatToDo: string;
}

export const steps: readonly Step[] = [
  {
    name: 'types',
    run: (root) => runTool({ script: 'typescript/bin/tsc', args: ['--noEmit'] }, root),
    whatToDo: 'Mend the types at the places above.',
  },
  {
    name: 'format',
    run: (root) => runTool({ script: 'oxfmt/bin/oxfmt', args: ['--list-different'] }, root),
    whatToDo: 'Run npm run format, which rewrites these files.',
  },
  {
    name: 'lint',
    run: (root) => runTool({ script: 'oxlint/bin/oxlint', args: ['--type-aware'] }, root),
    whatToDo:
      'Mend the places above. A floating promise is awaited, returned, or given a catch; ' +
      'npx oxlint --fix mends what can be mended without thought.',
  },
  {
    name: 'structure',
    run: async (root) => resultOf(checkStructure(readTree(root))),
    whatToDo: 'Each place above says what to do. The rules and their tables: test/check/structure.',
  },
  {
    name: 'promises',
    run: async (root) => resultOf(checkPromises(readTexts(root))),
    whatToDo: 'Each place above says what to do. Rules that are cited by number are on one page.',
  },
];

function resultOf(violations: readonly Violation[]): ToolResult {
  return { isOk: violations.length === 0, output: violations.map(formatViolation).join('\n') };
}

/** What may cite a promise: sources, tests, manifests and documentation. */
function readTexts(root: string): TextFile[] {
  return listTreeFiles(root)
    .filter((path) => /\.(?:[cm]?[jt]s|go|md|ya?ml)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
