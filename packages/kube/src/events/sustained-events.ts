/** The sustained event of each object and matter: at most one (P6). */
export class SustainedEvents {
  readonly #keys = new Map<string, Map<string, string>>();

  /** Sets the key of the event and returns the previous one. */
  set(uid: string, matter: string, key: string): string | undefined {
    const matters = this.#keys.get(uid) ?? new Map<string, string>();
    this.#keys.set(uid, matters);
    const before = matters.get(matter);
    matters.set(matter, key);
    return before;
  }

  delete(uid: string, matter: string): string | undefined {
    const matters = this.#keys.get(uid);
    const key = matters?.get(matter);
    matters?.delete(matter);
    if (matters?.size === 0) this.#keys.delete(uid);
    return key;
  }

  deleteAll(uid: string): string[] {
    const keys = [...(this.#keys.get(uid)?.values() ?? [])];
    this.#keys.delete(uid);
    return keys;
  }
}
