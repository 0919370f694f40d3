/**
 * One record per node UID: all that a controller remembers of a node, in one place. A record comes when
 * the cache first shows its node and goes as a whole when the node goes (M6). Whatever comes back late,
 * an answer of the cloud or the outcome of a write, then changes a record that nothing reads any more.
 */
import type { OwnWrite } from './own-writes.ts';
import type { PollPace } from './polls.ts';
import type { ActiveReport } from './reports.ts';
import type { HeldChange } from './node-loop.ts';

export class NodeRecord<State> {
  readonly name: string;
  readonly uid: string;
  /** What the controller itself remembers of the node. */
  readonly state: State;
  /** Whether the node is gone. Nothing is said or claimed for such a record. */
  isGone = false;
  /** What was written to the node last, until the cache shows it (M4). */
  ownWrite: OwnWrite | undefined;
  /** What the cache told while the node was being written to; undefined while it is not. */
  heldChanges: HeldChange[] | undefined;
  /** How often in a row a write to the node was refused. */
  refusedWrites = 0;
  /** How soon the node is looked at again although nothing happened to it. */
  pollPace: PollPace | undefined;
  /** Whether the node waits until the API server lets this program write. */
  awaitsPermission = false;
  /** What was said about the node and still holds. */
  report: ActiveReport | undefined;
  /** Since when it holds, by the wall clock, whatever became of its words. */
  reportSinceMs = 0;
  /** What a dry run said that it would write. */
  dryRunText = '';

  constructor(node: { readonly name: string; readonly uid: string }, state: State) {
    this.name = node.name;
    this.uid = node.uid;
    this.state = state;
  }
}

/** The records of all nodes that the cache has, and of no others. */
export class NodeRecords<State> {
  readonly #byUid = new Map<string, NodeRecord<State>>();

  get size(): number {
    return this.#byUid.size;
  }

  get(uid: string): NodeRecord<State> | undefined {
    return this.#byUid.get(uid);
  }

  values(): Iterable<NodeRecord<State>> {
    return this.#byUid.values();
  }

  add(record: NodeRecord<State>): void {
    this.#byUid.set(record.uid, record);
  }

  /** Undefined where there is none. */
  drop(uid: string): NodeRecord<State> | undefined {
    const record = this.#byUid.get(uid);
    this.#byUid.delete(uid);
    if (record !== undefined) record.isGone = true;
    return record;
  }
}
