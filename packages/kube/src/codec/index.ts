export { codecOf } from './choose-codec.ts';
export { acceptHeader, type Encoding, type ListPage } from './codec.ts';
export { DecodeError } from '../decode-error.ts';
export { parseJson } from './json-value.ts';
export { isVersion, keyOf, type ObjectFacts, type ObjectReader } from './object-reader.ts';
export type { WatchEvent } from './codec.ts';
export { isOlder } from './object-reader.ts';
