/** The steps of `npm run check`, in their order, each with what to do when it fails. */
import { checkStructure } from './structure/check-structure.ts';
import { readTree } from './structure/read-tree.ts';
import { formatViolation } from './structure/violation.ts';
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
    run: structure,
    whatToDo: 'Each place above says what to do. The rules and their tables: test/check/structure.',
  },
];

async function structure(root: string): Promise<ToolResult> {
  const violations = checkStructure(readTree(root));
  return { isOk: violations.length === 0, output: violations.map(formatViolation).join('\n') };
}
