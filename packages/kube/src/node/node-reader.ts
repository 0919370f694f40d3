/** The reader of nodes, for informers and single answers alike. */
import type { ObjectReader } from '../codec/object-reader.ts';
import { nodeFromJson } from './node-json.ts';
import { isSameNode, type NodeProjection, reuseNode, SharedParts } from './node-projection.ts';
import { nodeFromProtobuf } from './node-protobuf.ts';

/** Each reader shares equal parts between its nodes. Use one per informer. */
export function createNodeReader(): ObjectReader<NodeProjection> {
  const shared = new SharedParts();
  return {
    fromJson: (value) => nodeFromJson(value, shared),
    fromProtobuf: (reader) => nodeFromProtobuf(reader, shared),
    isSame: isSameNode,
    reuse: reuseNode,
  };
}
