/**
 * Keeps one copy of strings that many objects share, such as label keys and values. It starts again
 * when it is full: strings like names, which occur once, fill it, and shared strings come back with the
 * next object.
 */
export class Interner {
  readonly #known = new Map<string, string>();

  /** The shared copy of this string. */
  intern(text: string): string {
    if (text.length > lengthMax) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= stringsMax) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}

const stringsMax = 1_024;

/** Label values have at most 63 characters and common keys fewer. Longer strings are rarely shared. */
const lengthMax = 64;
