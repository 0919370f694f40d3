/**
 * Remembers the names of the nodes that were looked up, in order to recognise routes of old managers. Old managers gave
 * a route the name of its node. A user may have named a route in the same way.
 */

/** The maximum number of names, more than a cluster has nodes. Beyond it, the oldest are forgotten. */
const namesMax = 50_000;

export class NodeNames {
  readonly #names = new Set<string>();

  /** The names in lower case, because Azure's names are case-insensitive. */
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
