/**
 * The commands of a guide and their expected output: its fenced `sh` blocks in order, each with the `text` block that
 * follows it.
 */

export interface Step {
  readonly line: number;
  readonly commands: string;
  /** Lines of the output, in this order. */
  readonly expected: readonly string[];
  /** Whether the page asks for a separate terminal, which stays busy. */
  readonly ownTerminal: boolean;
}

const mark = '<!-- guide: a terminal of its own -->';

export function readGuide(page: string): Step[] {
  const steps: Step[] = [];
  for (const { language, body, line, before } of fences(page)) {
    if (language === 'sh') {
      const ownTerminal = before.trimEnd().endsWith(mark);
      steps.push({ line, commands: body, expected: [], ownTerminal });
    }
    const last = steps.at(-1);
    // Text that does not directly follow the commands illustrates something else.
    if (language === 'text' && last !== undefined && before.trim() === '') {
      steps.splice(-1, 1, { ...last, expected: body.split('\n') });
    }
  }
  return steps;
}

interface Fence {
  readonly language: string;
  readonly body: string;
  readonly line: number;
  /** The text between it and the previous fence. */
  readonly before: string;
}

/** All fenced blocks of a page, also the indented ones in lists. */
export function* fences(page: string): Generator<Fence> {
  let end = 0;
  for (const match of page.matchAll(/^( *)```(\w*)\n(.*?)\n\1```$/gms)) {
    const [whole, indent = '', language = '', text = ''] = match;
    const before = page.slice(end, match.index);
    const body = text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    yield { language, body, before, line: page.slice(0, match.index).split('\n').length };
    end = match.index + whole.length;
  }
}

/**
 * Whether each line is in the output, in this order. Several blanks count as one, `…` matches anything, and a column
 * with an age, such as `8s`, matches any age.
 */
export function showsLines(output: string, expected: readonly string[]): boolean {
  const lines = output.split('\n').map(oneBlank);
  let from = 0;
  return expected.every((line) => {
    const pattern = new RegExp(`^${oneBlank(line).split('…').map(anyAge).join('.*')}$`);
    const at = lines.findIndex((each, index) => index >= from && pattern.test(each));
    from = at + 1;
    return at !== -1;
  });
}

function oneBlank(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function anyAge(text: string): string {
  return escaped(text).replaceAll(/(?<= )\d+[smh](?= )/g, String.raw`\S+`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
