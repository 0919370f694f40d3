/** Prints an answer as JSON or YAML, with control characters escaped. */
import { escapeControls, toJson } from './to-json.ts';

export type OutputFormat = 'text' | 'wide' | 'json' | 'yaml';

export async function printData(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${toJson(value, 2)}\n`;
  const { stringify } = await import('yaml');
  return escapeControls(
    stringify(value, {
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
      lineWidth: 0,
      // Keeps a quoted string on one line, because some line breaks in folded strings would be lost.
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    }),
  );
}
