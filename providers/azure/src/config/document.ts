/**
 * Reads a file that is a map of fields, in JSON or YAML. The parser's messages quote the file, including secrets, so
 * only the line and the error code are reported.
 */
import { isMap, LineCounter, parseDocument, visit } from 'yaml';

/** Returns the map, or a text that says what is wrong. */
export function readDocument(text: string): Record<string, unknown> | string {
  const lines = new LineCounter();
  const lineOf = (offset = 0): number => lines.linePos(offset).line;
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    return `line ${lineOf(error.pos[0])} is neither JSON nor YAML (${error.code})`;
  }
  if (!isMap(document.contents)) return 'it is not a map of fields';
  let aliasLine: number | undefined;
  visit(document, {
    Alias(_, alias) {
      aliasLine = lineOf(alias.range?.[0]);
      return visit.BREAK;
    },
  });
  if (aliasLine !== undefined) {
    return `line ${aliasLine} has a value that begins with *. Put it in quotes`;
  }
  const value: unknown = document.toJS();
  return Object.fromEntries(Object.entries(value ?? {}));
}
