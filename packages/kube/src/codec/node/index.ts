export {
  isKeptAnnotation,
  isSameNode,
  type NetworkCondition,
  type NodeProjection,
  type ReadyCondition,
  type Taint,
} from './node-projection.ts';
export { createNodeReader } from './node-reader.ts';
