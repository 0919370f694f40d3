/**
 * Cuts the text of an inventory into its head and its entries, by indentation alone. In a block list an
 * entry begins where a dash stands at the list's own indentation, and nothing inside an entry can stand
 * there. Says nothing where that is not certain: the list is written in brackets, or the file uses
 * anchors, directives or several documents. Then the file is read as a whole.
 */
export interface Pieces {
  /** The file without its entries, every line still at its number. */
  readonly head: string;
  readonly entries: readonly Piece[];
}

export interface Piece {
  readonly text: string;
  readonly linesBefore: number;
}

export function splitEntries(text: string): Pieces | undefined {
  if (/[&*\t\r]|^(?:%|---|\.\.\.)/m.test(text)) return undefined;
  const lines = text.split('\n');
  const listAt = lines.findIndex((line) => /^instances: *(?:#.*)?$/.test(line));
  if (listAt < 0) return undefined;
  const first = lines.findIndex((line, index) => index > listAt && !isBlank(line));
  const indentation = /^ *(?=- )/.exec(lines[first] ?? '')?.[0].length;
  if (indentation === undefined) return undefined;
  const end = lines.findIndex(
    (line, index) => index > first && !isBlank(line) && !isInside(line, indentation),
  );
  const after = end < 0 ? lines.length : end;
  // Less indented than the list, yet not at the top: no YAML that anybody means.
  if (end >= 0 && lines[end]?.startsWith(' ')) return undefined;
  const starts = lines.flatMap((line, index) =>
    index >= first && index < after && isStart(line, indentation) ? [index] : [],
  );
  return {
    head: [
      ...lines.slice(0, listAt + 1),
      ...Array.from({ length: after - listAt - 1 }, () => ''),
      ...lines.slice(after),
    ].join('\n'),
    entries: starts.map((start, index) => ({
      text: lines.slice(start, starts[index + 1] ?? after).join('\n'),
      linesBefore: start,
    })),
  };
}

function isStart(line: string, indentation: number): boolean {
  return line.startsWith('- ', indentation) && line.search(/[^ ]/) === indentation;
}

function isInside(line: string, indentation: number): boolean {
  return line.search(/[^ ]/) > indentation || isStart(line, indentation);
}

function isBlank(line: string): boolean {
  return /^ *(?:#.*)?$/.test(line);
}
