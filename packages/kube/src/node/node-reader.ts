/** The reader of nodes, for informers and single answers alike. */
import { Interner } from '../codec/interner.ts';
import type { ObjectReader } from '../codec/object-reader.ts';
import { nodeFromJson } from './node-json.ts';
import type { NodeProjection } from './node-projection.ts';
import { nodeFromProtobuf } from './node-protobuf.ts';

/** Each reader shares equal strings between its nodes. Use one per informer. */
export function createNodeReader(): ObjectReader<NodeProjection> {
  const interner = new Interner();
  return {
    fromJson: (value) => nodeFromJson(value, interner),
    fromProtobuf: (reader) => nodeFromProtobuf(reader, interner),
  };
}
