/** What a test does to some of the requests that pass. */

export interface Interference<Request, Fate> {
  /** Selects the requests. */
  readonly on: (request: Request) => boolean;
  /** Selects only one of them, counted from one. */
  readonly nth?: number;
  /** Before the server sees the request, or after its answer and before the client knows. */
  readonly when: 'before' | 'after';
  /** `pass` lets the request pass. */
  readonly act: (request: Request) => Promise<Fate | 'pass'> | Fate | 'pass';
}

/** The current interferences, and how often each has matched. */
export class Interferences<Request, Fate> {
  readonly #set = new Map<Interference<Request, Fate>, { matches: number }>();

  /** Adds an interference. Returns a function that removes it. */
  add(interference: Interference<Request, Fate>): () => void {
    this.#set.set(interference, { matches: 0 });
    return () => this.#set.delete(interference);
  }

  /** Call this once for each request, because it counts. The result decides the fate of the request. */
  meet(request: Request): (when: 'before' | 'after') => Promise<Fate | 'pass'> {
    const about = [...this.#set].flatMap(([interference, count]) => {
      if (!interference.on(request)) return [];
      count.matches += 1;
      const { nth } = interference;
      return nth === undefined || nth === count.matches ? [interference] : [];
    });
    return async (when) => {
      for (const interference of about) {
        if (interference.when !== when) continue;
        const fate = await interference.act(request);
        if (fate !== 'pass') return fate;
      }
      return 'pass';
    };
  }
}
