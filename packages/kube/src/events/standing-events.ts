/** Which event stands for which matter of which object: at most one, until told otherwise (P6). */
export class StandingEvents {
  readonly #names = new Map<string, Map<string, string>>();

  /** Puts a name in its place and gives back the one that stood there before. */
  set(uid: string, matter: string, name: string): string | undefined {
    const matters = this.#names.get(uid) ?? new Map<string, string>();
    this.#names.set(uid, matters);
    const before = matters.get(matter);
    matters.set(matter, name);
    return before;
  }

  delete(uid: string, matter: string): string | undefined {
    const matters = this.#names.get(uid);
    const name = matters?.get(matter);
    matters?.delete(matter);
    if (matters?.size === 0) this.#names.delete(uid);
    return name;
  }

  deleteAll(uid: string): string[] {
    const names = [...(this.#names.get(uid)?.values() ?? [])];
    this.#names.delete(uid);
    return names;
  }
}
