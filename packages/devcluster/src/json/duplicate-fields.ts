/**
 * Fields that a JSON text gives more than once, by their places such as `metadata.labels.a` or
 * `status.addresses[0].type`. Parsing keeps the last of them and forgets that there were others.
 */
import { endOfText } from './nesting-depth.ts';

/** Of a text that is known to be JSON; each place once, in the order of the text. */
export function duplicateFields(text: string): string[] {
  const found = new Set<string>();
  const open: Container[] = [];
  for (let index = 0; index < text.length; index++) {
    const container = open.at(-1);
    switch (text[index]) {
      case '{':
        open.push({ path: pathIn(container), keys: new Set(), key: '', item: 0 });
        break;
      case '[':
        open.push({ path: pathIn(container), keys: undefined, key: '', item: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (container !== undefined) container.item += 1;
        break;
      case '"': {
        const end = endOfText(text, index);
        if (container !== undefined) note(container, { text, index, end }, found);
        index = end;
        break;
      }
      default:
    }
  }
  return [...found];
}

interface Container {
  readonly path: string;
  /** Undefined for lists. */
  readonly keys: Set<string> | undefined;
  /** The field that the walk is in. */
  key: string;
  /** How many items or fields came before. */
  item: number;
}

/** Of the texts in an object those are keys that a colon follows. */
function note(
  container: Container,
  { text, index, end }: { readonly text: string; readonly index: number; readonly end: number },
  found: Set<string>,
): void {
  if (container.keys === undefined || !isKey(text, end + 1)) return;
  container.key = String(JSON.parse(text.slice(index, end + 1)));
  if (container.keys.has(container.key)) found.add(pathIn(container));
  container.keys.add(container.key);
}

function isKey(text: string, start: number): boolean {
  let index = start;
  while (' \t\r\n'.includes(text[index] ?? ':')) index += 1;
  return text[index] === ':';
}

function pathIn(container: Container | undefined): string {
  if (container === undefined) return '';
  const { path, keys, key, item } = container;
  if (keys === undefined) return `${path}[${item}]`;
  return path === '' ? key : `${path}.${key}`;
}
