/**
 * Warns about interfaces without IP forwarding: Azure drops the packets of pods there, whatever routes lead to them.
 * The provider does not change interfaces. It only logs a warning, once for each node, and again after forwarding was
 * switched on and off.
 */
import { enumerate } from '@tandem/core/node-address';
import type { Logger } from '@tandem/runtime';

/** The maximum number of nodes, more than a cluster has. Beyond it, the oldest are forgotten. */
const nodesMax = 50_000;

/** The maximum length of the names in one log line. */
const namesLengthMax = 500;

export class Forwarding {
  readonly #logger: Logger;
  /** The nodes whose interface does not forward, in lower case, and whether the log named them. */
  readonly #dropping = new Map<string, { isTold: boolean }>();
  #routed: ReadonlySet<string> = new Set();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Records whether the interface of a node forwards. */
  note(nodeName: string, isForwarding: boolean): void {
    const name = nodeName.toLowerCase();
    if (isForwarding) return void this.#dropping.delete(name);
    if (this.#dropping.has(name)) return;
    this.#dropping.set(name, { isTold: false });
    for (const oldest of this.#dropping.keys()) {
      if (this.#dropping.size <= nodesMax) return;
      this.#dropping.delete(oldest);
    }
  }

  /** Records the nodes that routes lead to, in lower case, and logs what is new. */
  routed(nodeNames: ReadonlySet<string>): void {
    this.#routed = nodeNames;
    this.tell();
  }

  /** Logs the nodes with routes that do not forward and that the log did not name before. */
  tell(): void {
    const names: string[] = [];
    for (const [name, state] of this.#dropping) {
      if (state.isTold || !this.#routed.has(name)) continue;
      state.isTold = true;
      names.push(name);
    }
    if (names.length === 0) return;
    const nodes = enumerate(names.toSorted(), namesLengthMax);
    const fix = 'Set enableIPForwarding on the network interfaces of these nodes';
    this.#logger.warn(
      { nodes, fix },
      'Azure drops traffic to pods on nodes whose network interfaces lack IP forwarding',
    );
  }
}
