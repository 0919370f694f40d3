/**
 * A loop with a work queue, one worker per node: for controllers that decide about one node at a time.
 * The result of a turn says when the next one is.
 */
import { NotLeadingError } from '@tandem/kube/election';
import type { NodeProjection } from '@tandem/kube/node';
import { type Again, type Priority, WorkQueue } from '@tandem/kube/queue';
import { CcmError, type Logger } from '@tandem/runtime';
import { type LoopController, type LoopPorts, NodeLoop } from './node-loop.ts';
import type { NodeRecord } from './node-record.ts';
import type { Next, Turn } from './node-writer.ts';
import { type PollPace, Polls } from './polls.ts';

export interface QueuedController<State> extends LoopController<State> {
  /** Read, plan, apply, report. The loop may call it at any time, twice or late. */
  reconcile(turn: Turn<State>): Promise<Next>;
  /** The usual priority of a node. Default: routine. */
  priorityOf?(node: NodeProjection): Priority;
  /** Polls the node. Default: a turn. */
  poll?(record: NodeRecord<State>): void;
}

export class QueuedLoop<State> extends NodeLoop<State> {
  readonly #nodes: LoopPorts['nodes'];
  readonly #controller: QueuedController<State>;
  readonly #logger: Logger;
  readonly #queue: WorkQueue;
  readonly #polls: Polls<State>;

  constructor(
    ports: LoopPorts,
    controller: QueuedController<State>,
    queue: { readonly name: string; readonly workers: number },
  ) {
    super(ports, controller);
    const { clock, nodes } = ports;
    const { records } = this;
    this.#nodes = nodes;
    this.#controller = controller;
    this.#logger = ports.logger;
    const onDue = (record: NodeRecord<State>): void =>
      controller.poll === undefined ? this.wake(record) : controller.poll(record);
    this.#polls = new Polls({ clock, records, onDue });
    this.#queue = new WorkQueue({
      ...ports,
      ...queue,
      handle: (name, work) => this.#handle(name, work),
    });
  }

  override get remembered(): number {
    return super.remembered + this.#queue.size;
  }

  /** Works until the signal aborts. `beside` runs for as long. */
  override run(signal: AbortSignal, beside?: () => Promise<void>): Promise<void> {
    return super.run(signal, async () => {
      this.#queue.start();
      try {
        await (beside === undefined ? aborted(signal) : beside());
      } finally {
        await this.#queue.stop();
        // Last, because work that was running may have set their timers.
        this.#polls.stop();
      }
    });
  }

  /** Queues the node. */
  override wake(record: NodeRecord<State>, priority?: Priority): void {
    const node = this.#nodes.get(record.name);
    if (node?.uid !== record.uid) return;
    const usual = this.#controller.priorityOf?.(node) ?? 'routine';
    this.#queue.add(record.name, { priority: priority ?? usual });
  }

  /** Sets or ends the polling of the node. */
  poll(record: NodeRecord<State>, pace: PollPace | undefined): void {
    this.#polls.set(record, pace);
  }

  /** A person may fix the cause, so the node is polled as well. */
  override afterRefusal(record: NodeRecord<State>): Next {
    this.poll(record, 'slow');
    return super.afterRefusal(record);
  }

  protected override dropped(record: NodeRecord<State>): void {
    this.#queue.forget(record.name);
  }

  async #handle(
    name: string,
    { failures }: { readonly failures: number },
  ): Promise<Again | undefined> {
    const node = this.#nodes.get(name);
    const record = node && this.records.get(node.uid);
    if (record === undefined) return undefined;
    const reconcile = (turn: Turn<State>): Promise<Next> => this.#controller.reconcile(turn);
    const next = await this.turn(record, reconcile, { failures });
    if (record.isGone || next.kind === 'settled') return undefined;
    if (next.kind === 'again') return { afterMs: next.afterMs };
    if (next.err instanceof NotLeadingError) return this.#awaitLease(name, next.err);
    throw next.kind === 'changed' ? passing(next.err) : next.err;
  }

  /**
   * The next renewal opens the gate again, or this term ends. The election reports that once; each waiting node would
   * report it again.
   */
  #awaitLease(node: string, err: NotLeadingError): Again {
    this.#logger.debug({ node, err }, 'Write waits for the Lease');
    return { afterMs: leaseRetryMs };
  }
}

/** The default time between two renewals of the Lease. */
const leaseRetryMs = 2_000;

/** A failed guard is final to the client, but contention ends soon, so the queue retries. */
function passing(err: CcmError): CcmError {
  const { message, code, effect } = err;
  return new CcmError(message, { code, effect, retry: 'backoff', cause: err });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
