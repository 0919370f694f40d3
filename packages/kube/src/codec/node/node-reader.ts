/** The reader of nodes, for informers and single answers alike. */
import type { ObjectReader } from '../object-reader.ts';
import { nodeFromJson } from './node-json.ts';
import { isSameNode, type NodeProjection, reuseNode } from './node-projection.ts';
import { nodesFromProtobuf } from './node-protobuf.ts';
import { SharedParts } from './shared-parts.ts';

/** Each reader knows what its nodes share; one an informer is right. */
export function createNodeReader(): ObjectReader<NodeProjection> {
  const shared = new SharedParts();
  return {
    unreadLists: ['managedFields', 'images'],
    fromJson: (value) => nodeFromJson(value, shared),
    fromProtobuf: nodesFromProtobuf(shared),
    isSame: isSameNode,
    reuse: reuseNode,
  };
}
