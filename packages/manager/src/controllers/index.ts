/** The list of the manager's controllers, from which everything else derives. */
import { cloudNode } from './cloud-node.ts';
import { cloudNodeLifecycle } from './cloud-node-lifecycle.ts';
import type { ControllerDeclaration } from './declaration.ts';
import { nodeIpam } from './node-ipam.ts';
import { nodeRoute } from './node-route.ts';

export const controllers: readonly ControllerDeclaration[] = [
  cloudNode,
  cloudNodeLifecycle,
  nodeIpam,
  nodeRoute,
];

export { type Grant } from '../access/index.ts';
export {
  type ConfiguredController,
  type Controller,
  type ControllerDeclaration,
  declareController,
  type EventNote,
  eventNotes,
} from './declaration.ts';
