/**
 * Splits the text of an inventory into its head and its entries, by indentation alone. In a block list, every dash at
 * the indentation of the list begins an entry, because no part of an entry can be indented so little. Returns
 * undefined if the split is not certain: if the list is in brackets, or the file uses anchors, directives or several
 * documents. The file is then read as a whole.
 */
interface Pieces {
  /** The file without its entries. */
  readonly head: Piece;
  readonly entries: readonly Piece[];
}

export interface Piece {
  readonly text: string;
  /** Returns the line number in the file for a line number of the text. Both count from 1. */
  readonly lineInFile: (line: number) => number;
}

export function splitEntries(text: string): Pieces | undefined {
  if (/[&*\t\r\u2028\u2029]|^(?:%|---|\.\.\.)/m.test(text)) return undefined;
  const list = /^instances: *(?:#.*)?\n((?: *(?:#.*)?\n)*)( *)- /m.exec(text);
  if (list === null) return undefined;
  const [above, notes = '', blanks = ''] = list;
  const from = list.index + above.length - notes.length - blanks.length - '- '.length;
  const { starts, end } = findStarts(text, { from, indentation: blanks.length });
  // The list is not at the top level, or an entry begins below its dash: indentation alone cannot split these.
  if (/^[ -]/.test(text.slice(end.at, end.at + 1))) return undefined;
  const linesBefore = linesIn(text.slice(0, from));
  return {
    head: {
      text: text.slice(0, from) + text.slice(end.at),
      lineInFile: (line) => (line <= linesBefore ? line : line + end.lines),
    },
    entries: starts.map(({ at, lines }, index) => ({
      text: text.slice(at, starts[index + 1]?.at ?? end.at),
      lineInFile: (line) => line + linesBefore + lines,
    })),
  };
}

/** Where a line begins, and how many lines of the list precede it. */
interface LineStart {
  readonly at: number;
  readonly lines: number;
}

function findStarts(
  text: string,
  { from, indentation }: { readonly from: number; readonly indentation: number },
): { readonly starts: readonly LineStart[]; readonly end: LineStart } {
  const starts: LineStart[] = [];
  let at = from;
  let lines = 0;
  while (at < text.length) {
    const blanks = blanksAt(text, at);
    const isStart = blanks === indentation && text.startsWith('- ', at + blanks);
    if (isStart) starts.push({ at, lines });
    else if (blanks <= indentation && !isEmptyAt(text, at + blanks)) break;
    const newline = text.indexOf('\n', at);
    at = newline < 0 ? text.length : newline + 1;
    lines++;
  }
  return { starts, end: { at, lines } };
}

/** Returns the number of blanks at this position. */
function blanksAt(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  return at - from;
}

/** Returns whether the rest of the line is empty or a comment. */
function isEmptyAt(text: string, at: number): boolean {
  const next = text[at];
  return next === undefined || next === '\n' || next === '#';
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
