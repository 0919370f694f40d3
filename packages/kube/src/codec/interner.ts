/**
 * Keeps one copy of strings that many objects share: label keys and values, taint keys, types and
 * effects. The table has a fixed size. If it forgets a string, the string is merely kept twice.
 */
export class Interner {
  readonly #usual: string[] = emptyTable.slice();
  readonly #recent: string[] = emptyTable.slice();

  /** The shared copy of this string. */
  fromText(text: string): string {
    if (text === '' || text.length > lengthMax) return text;
    const set = setOf(text);
    const usual = this.#usual[set] ?? '';
    if (usual === text) return usual;
    const recent = this.#recent[set] ?? '';
    this.#recent[set] = text;
    if (recent !== text) return text;
    // Seen twice: from now on only another string that is seen twice replaces it.
    this.#usual[set] = recent;
    this.#recent[set] = usual;
    return recent;
  }
}

/**
 * Two strings a set: names, which occur once per node, pass through `recent` and leave the strings that
 * all nodes share in `usual`. A cluster has some hundreds of those.
 */
const setBits = 10;
const sets = 2 ** setBits;

const emptyTable: readonly string[] = Array.from({ length: sets }, () => '');

/** Label values have at most 63 characters and common keys fewer. Longer texts are rarely shared. */
const lengthMax = 64;

/**
 * A few characters distinguish shared strings as well as all of them do, in a fraction of the time.
 */
function setOf(text: string): number {
  const { length } = text;
  const first = text.charCodeAt(0);
  const middle = text.charCodeAt(length >> 1);
  const beforeLast = length > 1 ? text.charCodeAt(length - 2) : 0;
  const last = text.charCodeAt(length - 1);
  return (length * 37 + first * 5 + middle * 41 + beforeLast * 11 + last * 131) & (sets - 1);
}
