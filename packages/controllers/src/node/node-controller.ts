/**
 * The cloud-node-controller: initialises nodes, and keeps their addresses and labels true. For each node
 * it reads what the cache and the cloud have said, plans (`core/node-init`), writes and reports. A worker
 * never waits for the cloud: where an answer is missing it is asked for, and the node comes back when it
 * is there; so a thousand nodes are one question. P1 to P7 rest on it.
 */
import { ControllerRun } from './controller-run.ts';
import { type NodeMetrics, nodeMetrics } from './metrics.ts';
import type { NodeControllerOptions } from './options.ts';

export class NodeController {
  readonly #options: NodeControllerOptions;
  readonly #metrics: NodeMetrics;
  #hasRun = false;
  #run: ControllerRun | undefined;

  constructor(options: NodeControllerOptions) {
    if (!(options.refreshPeriodMs > 0)) {
      throw new RangeError(`refreshPeriodMs must be above 0, not ${options.refreshPeriodMs}`);
    }
    this.#options = options;
    this.#metrics = nodeMetrics(options.metrics);
  }

  /** Entries that are kept of nodes: one of a node that is as it shall be, none of one that is gone. */
  get remembered(): number {
    return this.#run?.remembered ?? 0;
  }

  /**
   * Looks at every node that the informer has, and at whatever happens to them, until the signal aborts.
   * Resolves when no write is under way any more. A controller runs once.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new Error('this should never happen: a controller runs once');
    this.#hasRun = true;
    try {
      await this.#options.nodes.whenSynced(signal);
    } catch {
      // Told to end before there was anything to do.
      return;
    }
    this.#run = new ControllerRun(this.#options, this.#metrics, signal);
    await this.#run.untilAborted();
  }
}
