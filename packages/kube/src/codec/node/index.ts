export {
  isKeptAnnotation,
  isSameNode,
  type NodeProjection,
  type ReadyCondition,
  type Taint,
} from './node-projection.ts';
export { createNodeReader } from './node-reader.ts';
