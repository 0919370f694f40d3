/**
 * Draws lines as an SVG that needs only a monospaced font. Every piece of text has the column that it has on a
 * terminal, whatever the width of the reader's font.
 */
import { type Line, textOf, type Tone } from './line.ts';

const colours: Readonly<Record<Tone, string>> = {
  plain: '#d7dde5',
  strong: '#ffffff',
  dim: '#8b98a8',
  good: '#7ee787',
  bad: '#ff9b93',
  warn: '#e3b341',
};
const background = '#0f1720';

/** Of a monospaced font of 13 pixels, about. */
const column = 7.8;
const lineHeight = 18;
const padding = 16;

export function toSvg(lines: readonly Line[], title: string): string {
  const columns = Math.max(...lines.map((line) => textOf(line).length), 1);
  const width = Math.ceil(columns * column + 2 * padding);
  const height = lines.length * lineHeight + 2 * padding;
  const font = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
    `<g font-family="${font}" font-size="13">`,
    ...lines.flatMap((line, index) => toTexts(line, padding + (index + 0.75) * lineHeight)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function toTexts(line: Line, y: number): readonly string[] {
  let start = 0;
  return line.flatMap(({ text, tone }) => {
    // Renderers drop spaces at both ends, and would stretch what is left over their columns.
    const trimmed = text.trim();
    const x = padding + (start + text.indexOf(trimmed)) * column;
    start += text.length;
    if (trimmed === '') return [];
    const length = (trimmed.length * column).toFixed(1);
    const weight = tone === 'strong' ? ' font-weight="bold"' : '';
    return [
      `<text x="${x.toFixed(1)}" y="${y}" textLength="${length}" fill="${colours[tone]}"${weight}>${escape(trimmed)}</text>`,
    ];
  });
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
