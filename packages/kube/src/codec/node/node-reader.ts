/** The reader of nodes, for informers and single answers alike. */
import { Interner } from '../interner.ts';
import type { ObjectReader } from '../object-reader.ts';
import { nodeFromJson } from './node-json.ts';
import { isSameNode, type NodeProjection } from './node-projection.ts';
import { nodeFromProtobuf } from './node-protobuf.ts';

/** Each reader has a table of shared texts of its own; one an informer is right. */
export function createNodeReader(): ObjectReader<NodeProjection> {
  const interner = new Interner();
  return {
    fromJson: (value) => nodeFromJson(value, interner),
    fromProtobuf: (wire) => nodeFromProtobuf(wire, interner),
    isSame: isSameNode,
  };
}
