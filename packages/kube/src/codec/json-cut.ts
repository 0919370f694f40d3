/**
 * Leaves out of a JSON text what nobody reads, before it is parsed: most of a node is its images and its
 * managed fields, and parsing these takes longer than all the rest. A list that is left out has been
 * looked through as strictly as a parser would; where anything about it is unusual, it stays. Where it
 * stands is not looked at: of JSON nothing else is left out, of other texts a parser may see less.
 */
import { pastJsonList, scanOf } from './json-skip.ts';

/** The text without the lists of these names, wherever they are. */
export function jsonTextWithout(names: readonly string[], json: string): string {
  // Within a text a quotation mark has a backslash before it, so this is a name and nothing else.
  const sought = names.map((name): Sought => ({ opening: `,"${name}":[`, at: -1 }));
  const scan = scanOf(json);
  let text = '';
  let kept = 0;
  for (let from = 0; ;) {
    const next = nextOf(sought, json, from);
    if (next === undefined) return text + json.slice(kept);
    const end = pastJsonList(scan, next.at + next.opening.length - 1);
    from = end ?? next.at + 1;
    if (end === undefined) continue;
    text += json.slice(kept, next.at);
    kept = end;
  }
}

interface Sought {
  readonly opening: string;
  /** The place found last; beyond every text where there is none any more. */
  at: number;
}

/** The one that comes first from here on. Each is looked for again only once it has been passed. */
function nextOf(sought: readonly Sought[], json: string, from: number): Sought | undefined {
  let first: Sought | undefined;
  for (const one of sought) {
    if (one.at < from) {
      const at = json.indexOf(one.opening, from);
      one.at = at < 0 ? Number.POSITIVE_INFINITY : at;
    }
    if (one.at < (first?.at ?? Number.POSITIVE_INFINITY)) first = one;
  }
  return first;
}
