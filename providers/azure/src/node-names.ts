/**
 * The names of the nodes that were looked up, by which routes of old managers are known: these named a route
 * like its node, and so may a person name a route of his own.
 */

/** More than a cluster has. Past it, the oldest are forgotten. */
const namesMax = 50_000;

export class NodeNames {
  readonly #names = new Set<string>();

  /** In lower case, because Azure compares names so. */
  get all(): ReadonlySet<string> {
    return this.#names;
  }

  note(name: string): void {
    const key = name.toLowerCase();
    this.#names.delete(key);
    this.#names.add(key);
    for (const oldest of this.#names) {
      if (this.#names.size <= namesMax) return;
      this.#names.delete(oldest);
    }
  }
}
