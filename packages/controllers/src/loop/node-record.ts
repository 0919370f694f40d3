/**
 * One record per node UID: everything that a controller remembers of a node. The record is created when
 * the cache first shows its node and dropped as a whole when the node goes (M6). A late answer of the
 * cloud or outcome of a write then changes a record that nothing reads.
 */
import type { NodeProjection } from '@tandem/kube/node';
import type { NodeRef } from '@tandem/provider/plug';
import type { OwnWrite } from './own-writes.ts';
import type { PollPace } from './polls.ts';
import type { ActiveReport } from './reports.ts';
import type { HeldChange } from './node-loop.ts';

export class NodeRecord<State> {
  readonly name: string;
  readonly uid: string;
  readonly state: State;
  /** Whether the node is gone. Such a record has no reports and no claims. */
  isGone = false;
  /** The last write to the node, until the cache shows it (M4). */
  ownWrite: OwnWrite | undefined;
  /** Changes that the cache showed during a write to the node; undefined outside a write. */
  heldChanges: HeldChange[] | undefined;
  /** Consecutive refused writes. */
  refusedWrites = 0;
  /** How often the node is polled. */
  pollPace: PollPace | undefined;
  /** Whether the node waits for a permission of this program. */
  awaitsPermission = false;
  /** The active report about the node. */
  report: ActiveReport | undefined;
  /** When a report with its reason became active, on the wall clock. */
  reportSinceMs = 0;
  /** The last output of a dry run. */
  dryRunText = '';

  constructor(node: { readonly name: string; readonly uid: string }, state: State) {
    this.name = node.name;
    this.uid = node.uid;
    this.state = state;
  }
}

/** The records of the nodes in the cache, and of no others. */
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

  /** Undefined if there is none. */
  drop(uid: string): NodeRecord<State> | undefined {
    const record = this.#byUid.get(uid);
    this.#byUid.delete(uid);
    if (record !== undefined) record.isGone = true;
    return record;
  }
}

export type RefSource = Pick<
  NodeProjection,
  'name' | 'uid' | 'providerID' | 'labels' | 'systemUUID'
>;

/** The facts about a node that a provider gets. */
export function nodeRefOf({ name, uid, providerID, labels, systemUUID }: RefSource): NodeRef {
  // A copy, so that a provider cannot change the cache.
  return { name, uid, providerID, labels: { ...labels }, systemUUID };
}
