/**
 * Why a named file cannot be read, in the same words in all programs: what names it, the path, the
 * problem and what to do.
 */
import { errorCodeOf } from './record.ts';

export interface NamedFile {
  /** What names the file: a flag such as `--config`, or a variable. */
  readonly namedBy: string;
  readonly path: string;
}

/** Two sentences. They contain only the code of the system error. */
export function unreadableFile(
  err: unknown,
  { namedBy, path }: NamedFile,
): { readonly problem: string; readonly fix: string } {
  const { what, fix } = describe(errorCodeOf(err) ?? 'unknown reason');
  return { problem: `${namedBy}: ${path} ${what}.`, fix };
}

function describe(code: string): { readonly what: string; readonly fix: string } {
  switch (code) {
    case 'ENOENT':
      return { what: 'does not exist', fix: 'Check the path.' };
    case 'EISDIR':
      return { what: 'is a directory', fix: 'Give the path of a file.' };
    default:
      return {
        what: `cannot be read (${code})`,
        fix: 'Check the permissions of the file and its directories.',
      };
  }
}
