/** What a test does to some of the requests that pass. */
import type { Exchange } from './exchange.ts';

export interface Interference {
  /** Which requests it is about. */
  readonly on: (exchange: Exchange) => boolean;
  /** The how-manieth of these, counted from one; each of them where it is left out. */
  readonly nth?: number;
  /** Before the server sees it, or when the server has answered and the client does not know yet. */
  readonly when: 'before' | 'after';
  readonly act: (exchange: Exchange) => Promise<Fate> | Fate;
}

export type Fate =
  /** As if nothing had happened. */
  | 'pass'
  /** The connection breaks. */
  | 'drop'
  /** No answer ever comes. */
  | 'hang'
  /** This is answered, whatever the server said or would have said. */
  | Reply;

export interface Reply {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** Kubernetes' way to say no. */
export function statusObject({ status, reason, message }: Reply): string {
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return JSON.stringify({ ...head, message, reason, code: status });
}

/** The interferences that are set, and how often each has matched. */
export class Interferences {
  readonly #set = new Map<Interference, { matches: number }>();

  /** Sets one, and gives what takes it away again. */
  add(interference: Interference): () => void {
    this.#set.set(interference, { matches: 0 });
    return () => this.#set.delete(interference);
  }

  /**
   * Those that are about this request, in the order in which they were set. Asked once a request, for
   * asking counts.
   */
  about(exchange: Exchange): readonly Interference[] {
    return [...this.#set].flatMap(([interference, count]) => {
      if (!interference.on(exchange)) return [];
      count.matches += 1;
      const { nth } = interference;
      return nth === undefined || nth === count.matches ? [interference] : [];
    });
  }
}

/** The first fate that is not to pass decides. */
export async function fateOf(
  interferences: readonly Interference[],
  when: Interference['when'],
  exchange: Exchange,
): Promise<Fate> {
  for (const interference of interferences) {
    if (interference.when !== when) continue;
    const fate = await interference.act(exchange);
    if (fate !== 'pass') return fate;
  }
  return 'pass';
}
