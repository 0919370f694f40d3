export { codecOf } from './choose-codec.ts';
export {
  acceptHeader,
  type Codec,
  type Encoding,
  type ListPage,
  type WatchDecoder,
} from './codec.ts';
export { DecodeError } from '../decode-error.ts';
export { Interner } from './interner.ts';
export { jsonCodec } from './json-codec.ts';
export { parseJson } from './json-value.ts';
export { isVersion, keyOf, type ObjectFacts, type ObjectReader } from './object-reader.ts';
export { isSameTexts, type Pairs, recordOf, valueAt } from './pairs.ts';
export { protobufCodec } from './protobuf-codec.ts';
export type { WatchEvent } from './codec.ts';
export { isOlder } from './object-reader.ts';
