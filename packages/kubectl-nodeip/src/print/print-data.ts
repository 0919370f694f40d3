/** An answer as data: JSON or YAML, with control characters escaped. */
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
      // A quoted string stays on its line: folded, some line breaks would not read back.
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    }),
  );
}
