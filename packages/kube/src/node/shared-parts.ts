/**
 * What the nodes of a cluster have in common and is therefore kept once: texts, and whole lists of
 * taints, which are the same for most of them.
 */
import { Interner } from '../codec/interner.ts';
import { isSameTaints, type Taint } from './node-projection.ts';

export class SharedParts {
  readonly texts: Interner = new Interner();
  #taints: readonly Taint[] = [];

  /** The list of the node before where it is equal, else a copy that has no room to spare. */
  taints(list: readonly Taint[]): readonly Taint[] {
    if (!isSameTaints(this.#taints, list)) this.#taints = list.slice();
    return this.#taints;
  }
}
