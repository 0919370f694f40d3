/** A source file as the rules see it: where it lies, its text, its syntax tree and its imports. */
import { type Comment, parseSync, type Program } from 'oxc-parser';
import { moduleUses, type ModuleUse } from './imports.ts';

export interface SourceFile {
  /** Relative to the root of the tree, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ParsedFile extends SourceFile {
  readonly program: Program;
  /** Found once here, because most rules look at them. */
  readonly uses: readonly ModuleUse[];
  readonly comments: readonly Comment[];
  readonly parseErrors: readonly { readonly message: string; readonly offset: number }[];
}

export function parseFile({ path, text }: SourceFile): ParsedFile {
  const { program, module, errors, comments } = parseSync(path, text, {
    sourceType: /\.c[jt]s$/.test(path) ? 'commonjs' : 'module',
    // Without parentheses in the tree, `(Date).now` needs no rule of its own.
    preserveParens: false,
  });
  const parseErrors = errors.map((error) => ({
    message: error.message,
    offset: error.labels[0]?.start ?? 0,
  }));
  const uses = moduleUses(module, { path, text });
  return { path, text, program, uses, comments, parseErrors };
}

/** Tests, and what only tests use: a fixture sits beside the source that it stands in for. */
export function isTestFile(path: string): boolean {
  return /\.(?:test|fixture)\.ts$/.test(path);
}
