/** What the operator has configured, as far as a node's plan depends on it. */
import type { Exclusion, Gates, NodeIPPolicy } from '../node-address/index.ts';

export interface NodeSettings {
  readonly policies: readonly NodeIPPolicy[];
  readonly exclusions: readonly Exclusion[];
  readonly gates: Gates;
  /**
   * Whether the labels of the cloud are kept true after initialisation. They then win over what the
   * node has, from the beginning; else they are written once, and further labels only where the node
   * has none.
   */
  readonly refreshLabels: boolean;
}
