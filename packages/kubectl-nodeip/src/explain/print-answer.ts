/** An answer as text for a person, or as JSON or YAML for a program. */
import type { Answer } from './answer.ts';
import type { OutputFormat } from './command-line.ts';
import { printText } from './print-text.ts';
import { escapeControls, toJson } from './to-json.ts';

export async function printAnswer(
  answer: Answer,
  { format, hasColour }: { readonly format: OutputFormat; readonly hasColour: boolean },
): Promise<string> {
  switch (format) {
    case 'text':
      return printText(answer, { hasColour });
    case 'json':
      return `${toJson(answer, 2)}\n`;
    case 'yaml': {
      const { stringify } = await import('yaml');
      return escapeControls(
        stringify(answer, {
          defaultStringType: 'QUOTE_DOUBLE',
          defaultKeyType: 'PLAIN',
          lineWidth: 0,
          // A quoted string stays on its line: folded, some line breaks would not read back.
          doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
        }),
      );
    }
  }
}
