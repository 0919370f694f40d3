/** A whole controller: labels every node with its IP stack. The example of docs/guides/write-a-controller.md. */
import {
  type LoopPorts,
  type Next,
  type NodeRecord,
  type QueuedController,
  QueuedLoop,
  type Turn,
  type Update,
  type WriteMetrics,
} from '@tandem/controllers/loop';
import { readAddresses, stackOf } from '@tandem/core/node-address';
import { type NewEvent, nodeReference } from '@tandem/kube/events';
import { nodePatch, type NodeProjection } from '@tandem/kube/node';
import type { Priority } from '@tandem/kube/queue';
import type { MetricDeclaration, Metrics } from '@tandem/runtime';

const stackLabel = 'example.com/ip-stack';

/** What this controller remembers of one node. The loop drops it when the node goes. */
interface StackState {
  /** How often the label was written. */
  labelled: number;
}

export class StackLabelController implements QueuedController<StackState> {
  readonly name: string = 'stack-label-controller';
  readonly metrics: WriteMetrics;
  readonly #loop: QueuedLoop<StackState>;

  constructor({ workers, ...ports }: LoopPorts & { readonly workers: number }) {
    this.metrics = writeMetrics(ports.metrics);
    this.#loop = new QueuedLoop(ports, this, { name: 'stack_labels', workers });
  }

  get remembered(): number {
    return this.#loop.remembered;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  newState(): StackState {
    return { labelled: 0 };
  }

  /** Heartbeats and other changes of no interest wake nothing. */
  changed(_record: NodeRecord<StackState>, { before, after }: Update): Priority | undefined {
    const isOfInterest = before.addresses !== after.addresses || before.labels !== after.labels;
    return isOfInterest ? 'routine' : undefined;
  }

  async reconcile(turn: Turn<StackState>): Promise<Next> {
    // Read: the loop hands over a node that shows everything this controller has written.
    const { node, record } = turn;
    // Plan: a pure function of what was read.
    const stack = planStack(node);
    if (stack === undefined || node.labels[stackLabel] === stack) {
      this.#loop.reports.end(record);
      return { kind: 'settled' };
    }
    // Apply: guarded by the node's UID, gated by the election, only told in a dry run.
    const patch = nodePatch({ node, labels: { [stackLabel]: stack } });
    const reason = `the addresses of the node are ${stack}`;
    const written = await this.#loop.write(turn, [
      { action: 'writeStackLabel', patch, describe: () => ({ reason, stack }) },
    ]);
    // Report: an event on the node, or one that stands for as long as the write is refused.
    switch (written.kind) {
      case 'stored':
        record.state.labelled += written.stored;
        this.#loop.reports.end(record);
        this.#loop.reports.record(record, this.#event(node, 'StackLabelled', `Labelled ${stack}`));
        return { kind: 'settled' };
      case 'refused': {
        const { message } = written.err.status;
        const event = this.#event(node, 'StackLabelRefused', message);
        const report = { reason: event.reason, message, isRefusal: true };
        this.#loop.reports.start(record, report, { ...event, type: 'Warning' });
        return this.#loop.afterRefusal(record);
      }
      case 'dryRun':
        return { kind: 'settled' };
      case 'ended':
        return written.next;
    }
  }

  #event(node: NodeProjection, reason: string, note: string): NewEvent {
    const about = { regarding: nodeReference(node), reportingController: this.name };
    return { ...about, type: 'Normal', reason, action: 'LabelNode', note };
  }
}

/** `dual-stack`, `IPv4` or `IPv6`; nothing while the node has no IP address. */
export function planStack({ addresses }: Pick<NodeProjection, 'addresses'>): string | undefined {
  const stack = stackOf(readAddresses(addresses));
  if (stack === null) return undefined;
  return stack.startsWith('DS') ? 'dual-stack' : stack.slice(-4);
}

export const stackLabelsTotal: MetricDeclaration<'outcome'> = {
  name: 'stack_labels_total',
  help: 'Writes of stack labels, by what became of them.',
  stability: 'ALPHA',
  labels: ['outcome'],
};

function writeMetrics(metrics: Metrics): WriteMetrics {
  const writes = metrics.counter(stackLabelsTotal);
  return {
    wrote: (_action, outcome) => writes.inc({ outcome }),
    wouldWrite: () => writes.inc({ outcome: 'would_write' }),
    allowed: () => {},
  };
}
