/**
 * Cuts the text of an inventory into its head and its entries, by indentation alone. In a block list an
 * entry begins where a dash stands at the list's own indentation, and nothing inside an entry can stand
 * there. Says nothing where that is not certain: the list is written in brackets, or the file uses
 * anchors, directives or several documents. Then the file is read as a whole.
 */
interface Pieces {
  /** The file without its entries. */
  readonly head: Piece;
  readonly entries: readonly Piece[];
}

export interface Piece {
  readonly text: string;
  /** The number in the file of a line of the text; both count from 1. */
  readonly lineInFile: (line: number) => number;
}

export function splitEntries(text: string): Pieces | undefined {
  if (/[&*\t\r\u2028\u2029]|^(?:%|---|\.\.\.)/m.test(text)) return undefined;
  const list = /^instances: *(?:#.*)?\n((?: *(?:#.*)?\n)*)( *)- /m.exec(text);
  if (list === null) return undefined;
  const [above, notes = '', blanks = ''] = list;
  const from = list.index + above.length - notes.length - blanks.length - '- '.length;
  const { starts, end } = findStarts(text, { from, indentation: blanks.length });
  // Not at the top, or a dash with nothing beside it: less plain than this can tell apart.
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

/** Where a line begins, and how many lines of the list stand before it. */
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

/** How many blanks stand here. */
function blanksAt(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  return at - from;
}

/** Whether nothing is left of the line but a comment. */
function isEmptyAt(text: string, at: number): boolean {
  const next = text[at];
  return next === undefined || next === '\n' || next === '#';
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
