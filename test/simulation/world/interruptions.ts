/**
 * Who is deleted in the midst of a write: counts the managers' patches of nodes and strikes where the plan
 * has it.
 */
import type { TransportRequest } from '@tandem/kube/transport';
import type { Interruption } from '../plan/index.ts';

/** One that strikes at a request. */
export interface Strike extends Interruption {
  readonly machine: string;
}

export class Interruptions {
  readonly #planned: Interruption[];
  /** Takes effect at once. */
  readonly strike: (strike: Strike) => void;
  readonly #struck = new Set<string>();
  #patches = 0;
  #isOver = false;

  constructor(planned: readonly Interruption[], strike: (strike: Strike) => void) {
    this.#planned = [...planned];
    this.strike = strike;
  }

  /** How many have struck. */
  get strikes(): number {
    return this.#struck.size;
  }

  /** Asked about every request of a manager. */
  meet({ method, path }: TransportRequest): Strike | undefined {
    const machine = method === 'PATCH' ? /^\/api\/v1\/nodes\/([^/?]+)/.exec(path)?.[1] : undefined;
    if (machine === undefined || this.#isOver) return undefined;
    this.#patches++;
    const [next] = this.#planned;
    if (next === undefined || this.#patches < next.atPatch) return undefined;
    if (!next.machines.includes(machine) || this.#struck.has(machine)) return undefined;
    this.#planned.shift();
    this.#struck.add(machine);
    return { ...next, machine };
  }

  /** No node is deleted after the trouble. */
  heal(): void {
    this.#isOver = true;
  }
}
