/**
 * The table as data: a row for each node, kept up to date from the store of the cluster without any request to
 * the API server. The board never writes.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import { textAt } from '../../json/index.ts';
import type { Change, Store } from '../../store/index.ts';
import { readRow } from './read-row.ts';
import type { Row } from './row.ts';
import { duplicateCode, noProblems, type NodeProblems, withEvent } from './node-problems.ts';

interface BoardSources {
  readonly store: Store;
  findNodeIP(name: string): string | null;
  findAddresses(name: string): readonly NodeAddress[] | undefined;
  /** Sorts the table; nodes of one rank are in the order of their names. */
  rankOf(name: string): number;
}

export type RowChange =
  | { readonly kind: 'shown'; readonly row: Row }
  | { readonly kind: 'gone'; readonly node: string };

export class Board {
  readonly #sources: BoardSources;
  readonly #rows = new Map<string, Row>();
  readonly #problems = new Map<string, NodeProblems>();
  readonly #listeners = new Set<(change: RowChange) => void>();

  constructor(sources: BoardSources) {
    this.#sources = sources;
    sources.store.onChange((collection, change) => {
      if (collection === 'nodes') this.#seeNode(change);
      else if (collection === 'events') this.#seeEvent(change);
    });
  }

  get rows(): readonly Row[] {
    const ranked = [...this.#rows.values()].map((row) => ({
      row,
      rank: this.#sources.rankOf(row.node),
    }));
    return ranked
      .toSorted((a, b) => a.rank - b.rank || (a.row.node < b.row.node ? -1 : 1))
      .map(({ row }) => row);
  }

  find(node: string): Row | undefined {
    return this.#rows.get(node);
  }

  /** Calls back for rows that are new, changed or gone. */
  onChange(listener: (change: RowChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #seeNode({ before, after }: Change): void {
    if (after !== undefined) {
      this.#show(after);
      return;
    }
    const node = textAt(before, 'metadata', 'name');
    this.#problems.delete(textAt(before, 'metadata', 'uid'));
    if (this.#rows.delete(node)) this.#tell({ kind: 'gone', node });
    for (const row of this.#rows.values()) {
      // It may have shared a pod CIDR with the deleted node.
      if (row.podCIDRProblem?.code === duplicateCode) this.#showByName(row.node);
    }
  }

  #showByName(name: string): void {
    const node = this.#sources.store.collection('nodes').get(name);
    if (node !== undefined) this.#show(node);
  }

  /** The expiry of an event means nothing. */
  #seeEvent({ after }: Change): void {
    if (after === undefined || textAt(after, 'involvedObject', 'kind') !== 'Node') return;
    const uid = textAt(after, 'involvedObject', 'uid');
    const node = this.#sources.store
      .collection('nodes')
      .get(textAt(after, 'involvedObject', 'name'));
    if (node?.metadata.uid !== uid) return;
    this.#problems.set(uid, withEvent(this.#problems.get(uid) ?? noProblems, after));
    this.#show(node);
  }

  #show(node: object): void {
    const name = textAt(node, 'metadata', 'name');
    const row = readRow({
      node,
      problems: this.#problems.get(textAt(node, 'metadata', 'uid')) ?? noProblems,
      nodeIP: this.#sources.findNodeIP(name),
      cloud: this.#sources.findAddresses(name),
      isShared: (podCIDR) => this.#isShared(podCIDR, name),
    });
    if (JSON.stringify(this.#rows.get(name)) === JSON.stringify(row)) return;
    this.#rows.set(name, row);
    this.#tell({ kind: 'shown', row });
  }

  #isShared(podCIDR: string, name: string): boolean {
    const rows = [...this.#rows.values()];
    return rows.some(({ node, podCIDRs }) => node !== name && podCIDRs.includes(podCIDR));
  }

  #tell(change: RowChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
