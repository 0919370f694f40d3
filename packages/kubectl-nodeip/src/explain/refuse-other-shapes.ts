/**
 * Detects in the first lines that an input is not one JSON object on each line but a list, or objects over several
 * lines. Without this, every line of such an input would be reported as a mistake. With it, users get one message that
 * says how to convert the input.
 */
import { InputError } from '../streams.ts';
import type { Line } from './read-lines.ts';

/** Passes the lines on. Fails with an `InputError` before the first line if the input has another shape. */
export async function* refuseOtherShapes(
  input: AsyncIterable<readonly Line[]>,
): AsyncGenerator<readonly Line[]> {
  let held: readonly Line[] | undefined = [];
  for await (const lines of input) {
    if (held === undefined) {
      yield lines;
      continue;
    }
    held = [...held, ...lines];
    const shape = shapeOf(held);
    if (shape === 'undecided' && held.length < heldMax) continue;
    if (shape === 'list' || shape === 'spread') throw new InputError(problems[shape]);
    yield held;
    held = undefined;
  }
  if (held !== undefined) yield held;
}

/** The maximum number of blank lines before the shape is known. After more, the input counts as lines. */
const heldMax = 10_000;

const problems = {
  list: "standard input is a JSON list, not one JSON object per line: pipe it through jq -c '.[]'",
  spread:
    'standard input has a JSON object that spans lines, not one JSON object per line: pipe it through jq -c .',
} as const;

type Shape = keyof typeof problems | 'lines' | 'undecided';

/**
 * Determines the shape. An object that does not end on the first line extends over several lines, unless the next line
 * is a complete object. Then the first line is only truncated.
 */
function shapeOf(lines: readonly Line[]): Shape {
  const [first, second] = lines.map(beginningOf).filter((text) => text.trim() !== '');
  if (first === undefined) return 'undecided';
  if (first.trimStart().startsWith('[')) return 'list';
  if (!first.trimStart().startsWith('{') || isObject(first)) return 'lines';
  if (second === undefined) return 'undecided';
  return isObject(second) ? 'lines' : 'spread';
}

function beginningOf(line: Line): string {
  return line.kind === 'line' ? line.text : line.beginning;
}

function isObject(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
