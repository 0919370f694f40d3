/** The settings of the operator that a node's plan depends on. */
import type { Exclusion, Gates, NodeIPPolicy } from '../node-address/index.ts';

export interface NodeSettings {
  readonly policies: readonly NodeIPPolicy[];
  readonly exclusions: readonly Exclusion[];
  readonly gates: Gates;
  /**
   * Whether the labels of the cloud are updated after initialisation. If so, they override the
   * node's labels from the beginning. If not, they are written once, and additional labels only if
   * the node lacks them.
   */
  readonly refreshLabels: boolean;
}
