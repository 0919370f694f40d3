/**
 * Tells from the first lines that an input is JSON of another shape than one object a line: a list, or objects
 * that are spread over several lines. Every line of such an input would be a mistake of its own; people need to
 * be told once, and how to bring it into shape.
 */
import { InputError } from '../streams.ts';
import type { Line } from './read-lines.ts';

/** Passes the lines on. Fails with an `InputError` before any of them where the input has another shape. */
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

/** An input that begins with more blank lines than this is taken for lines. */
const heldMax = 10_000;

const problems = {
  list: "standard input is a JSON list, not one JSON object per line: pipe it through jq -c '.[]'",
  spread:
    'standard input has a JSON object that spans lines, not one JSON object per line: pipe it through jq -c .',
} as const;

type Shape = keyof typeof problems | 'lines' | 'undecided';

/**
 * An object that does not end on the first line is spread over several, unless the next line is an object by
 * itself: then the first one is no more than a line that is cut short.
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
