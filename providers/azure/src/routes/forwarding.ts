/**
 * Azure drops the packets of pods at an interface without IP forwarding, whatever routes lead to it. The
 * interface is not ours to change, so that it is told in the log: once for a node, and again if forwarding
 * was switched on and off.
 */
import { enumerate } from '@tandem/core/node-address';
import type { Logger } from '@tandem/runtime';

/** More than a cluster has. Past it, the oldest are forgotten. */
const nodesMax = 50_000;

/** Of the names in one line of the log. */
const namesLengthMax = 500;

export class Forwarding {
  readonly #logger: Logger;
  /** Nodes whose interface does not forward, in lower case, and whether that was told. */
  readonly #dropping = new Map<string, { isTold: boolean }>();
  #routed: ReadonlySet<string> = new Set();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The interface of a node was read. */
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

  /** The table was read: routes lead to these nodes, in lower case. */
  routed(nodeNames: ReadonlySet<string>): void {
    this.#routed = nodeNames;
    this.tell();
  }

  /** Logs what is new. */
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
