/**
 * The options of a program, declared once. The reader, the help text and the error messages derive from
 * this table, so that every accepted option is documented and every documented option is accepted.
 */
export interface OptionDeclaration {
  readonly short?: string;
  /** The placeholder for the value in the help text. An option without one is a switch. */
  readonly value?: string;
  readonly isRepeatable?: true;
  readonly help: string;
}

export type OptionTable<Name extends string = string> = Readonly<Record<Name, OptionDeclaration>>;

/** Every option with its help text, in lines of at most 100 columns. */
export function optionsHelp(table: OptionTable): string {
  return Object.entries(table).map(describeOption).join('\n');
}

function describeOption([name, { short, value, help }]: [string, OptionDeclaration]): string {
  const letter = short === undefined ? '    ' : `-${short}, `;
  return `  ${letter}--${name}${value === undefined ? '' : ` ${value}`}\n${indented(help)}`;
}

const indent = '          ';

function indented(text: string): string {
  return wrap(text, 99 - indent.length)
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** Breaks a text at blanks into lines of at most this width. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
