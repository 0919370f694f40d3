/** Lines of text with tones, before they become colours on a terminal or in a picture. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'bad' | 'warn';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly Span[];

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Cuts text to a width. Text that was cut ends in an ellipsis. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  return width < 1 ? '' : `${text.slice(0, width - 1).trimEnd()}…`;
}

export function cutLine(line: Line, width: number): Line {
  const spans: Span[] = [];
  let left = width;
  for (const { text, tone } of line) {
    if (left <= 0) break;
    const isLast = text.length > left;
    spans.push({ text: isLast ? cut(text, left) : text, tone });
    left -= text.length;
  }
  return spans;
}

/**
 * Makes untrusted text safe for a terminal: replaces control characters, and characters that are not exactly one
 * column wide.
 */
export function visible(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff–—‘’“”…]/gu, '?');
}
