/** What a test does to some of the requests that pass, at exactly that point. */

export interface Interference<Request, Fate> {
  /** Which requests it is about. */
  readonly on: (request: Request) => boolean;
  /** Counted from one. Without it, every request that it is about. */
  readonly nth?: number;
  /** Before the server sees the request, or when the server has answered and the client does not know yet. */
  readonly when: 'before' | 'after';
  /** `pass`: the request goes its way. */
  readonly act: (request: Request) => Promise<Fate | 'pass'> | Fate | 'pass';
}

/** The interferences that are set, and how often each has matched. */
export class Interferences<Request, Fate> {
  readonly #set = new Map<Interference<Request, Fate>, { matches: number }>();

  /** Sets one, and gives what takes it away again. */
  add(interference: Interference<Request, Fate>): () => void {
    this.#set.set(interference, { matches: 0 });
    return () => this.#set.delete(interference);
  }

  /** To be called once for each request, because it counts. Gives what decides the fate of the request. */
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
