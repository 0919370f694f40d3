/**
 * What `--dry-run` does in the place of writing: it says what would be written and counts it, once for
 * each change of the plan and not again while the plan stays the same.
 */
import type { NodeAction } from '@tandem/core/node-init';
import type { Logger } from '@tandem/runtime';
import type { Decision } from './decision.ts';
import type { NodeMetrics } from './metrics.ts';
import { listOf } from './notes.ts';

export class DryRun {
  readonly #logger: Logger;
  readonly #metrics: Pick<NodeMetrics, 'wouldWrite'>;
  /** What was said of a node, for as long as it would be written to. */
  readonly #said = new Map<string, string>();

  constructor(options: {
    readonly logger: Logger;
    readonly metrics: Pick<NodeMetrics, 'wouldWrite'>;
  }) {
    this.#logger = options.logger;
    this.#metrics = options.metrics;
  }

  get size(): number {
    return this.#said.size;
  }

  say({ node, plan }: Decision): void {
    if (plan.actions.length === 0) {
      if (plan.outcome.kind !== 'lookup') this.#said.delete(node.uid);
      return;
    }
    const text = JSON.stringify(plan.actions);
    if (this.#said.get(node.uid) === text) return;
    this.#said.set(node.uid, text);
    for (const action of plan.actions) {
      this.#metrics.wouldWrite(action.kind);
      this.#logger.info(
        { node: node.name, action: action.kind, reason: action.reason, ...changeOf(node, action) },
        'Would have written to node',
      );
    }
  }

  forget(uid: string): void {
    this.#said.delete(uid);
  }
}

function changeOf(node: Decision['node'], action: NodeAction): Readonly<Record<string, unknown>> {
  switch (action.kind) {
    case 'writeAddresses':
      return { from: listOf(node.addresses), to: listOf(action.addresses) };
    case 'writeLabels':
      return { labels: action.labels };
    case 'initialise':
      return { providerID: action.providerID, labels: action.labels };
  }
}
