/**
 * Keeps one copy of texts that many objects have in common: label keys and values, taint keys, types
 * and effects. Looked up by their bytes, so that a known text is not decoded again. The table has a
 * fixed size and forgets; a text that was forgotten is only kept twice.
 */
export class Interner {
  readonly #usual: string[] = emptyTable.slice();
  readonly #recent: string[] = emptyTable.slice();

  /** The text of these bytes, which are UTF-8. */
  fromBytes(bytes: Buffer, start: number, end: number): string {
    if (end === start) return '';
    if (end - start > lengthMax) return bytes.toString('utf8', start, end);
    const set = setOf(
      end - start,
      bytes[start],
      bytes[(start + end) >> 1],
      bytes[end - 2],
      bytes[end - 1],
    );
    const usual = this.#usual[set] ?? '';
    if (isTextOf(usual, bytes, start, end)) return usual;
    const recent = this.#recent[set] ?? '';
    if (isTextOf(recent, bytes, start, end)) return this.#promote(set, recent, usual);
    return this.#remember(set, bytes.toString('utf8', start, end));
  }

  /** The copy of this text that is kept. */
  fromText(text: string): string {
    if (text === '' || text.length > lengthMax) return text;
    const length = text.length;
    const set = setOf(
      length,
      text.charCodeAt(0),
      text.charCodeAt(length >> 1),
      text.charCodeAt(length - 2),
      text.charCodeAt(length - 1),
    );
    const usual = this.#usual[set] ?? '';
    if (usual === text) return usual;
    const recent = this.#recent[set] ?? '';
    if (recent === text) return this.#promote(set, recent, usual);
    return this.#remember(set, text);
  }

  /** Seen twice: now only another text that is seen twice can push it out. */
  #promote(set: number, recent: string, usual: string): string {
    this.#usual[set] = recent;
    this.#recent[set] = usual;
    return recent;
  }

  #remember(set: number, text: string): string {
    this.#recent[set] = text;
    return text;
  }
}

/**
 * Two texts a set: names, which come once a node, pass through `recent` and leave the texts that all
 * nodes share in `usual`. Some hundreds of those are many for a cluster.
 */
const setBits = 10;
const sets = 2 ** setBits;

const emptyTable: readonly string[] = Array.from({ length: sets }, () => '');

/** In bytes; label values have at most 63 and common keys fewer. Longer texts are rarely shared. */
const lengthMax = 64;

/**
 * A few bytes tell shared texts apart as well as all of them do, in a fraction of the time.
 */
function setOf(length: number, a = 0, b = 0, c = 0, d = 0): number {
  return (length * 37 + a * 5 + b * 41 + c * 11 + d * 131) & (sets - 1);
}

/** Says no to texts beyond ASCII, which are then decoded each time. */
function isTextOf(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  let seen = 0;
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if (text.charCodeAt(index - start) !== byte) return false;
    seen |= byte;
  }
  return seen < 128;
}
