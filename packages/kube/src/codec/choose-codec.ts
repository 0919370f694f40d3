/** The codec that the `Content-Type` of an answer names. */
import { type Codec, jsonType, protobufType } from './codec.ts';
import { DecodeError } from '../decode-error.ts';
import { jsonCodec } from './json-codec.ts';
import { protobufCodec } from './protobuf-codec.ts';

export function codecOf(headers: Readonly<Record<string, string | undefined>>): Codec {
  const contentType = headers['content-type'] ?? '';
  const [type = ''] = contentType.split(';');
  const codec = codecs.get(type.trim().toLowerCase());
  if (codec === undefined) {
    throw new DecodeError(`The response is ${JSON.stringify(contentType)}, not JSON or protobuf`);
  }
  return codec;
}

const codecs: ReadonlyMap<string, Codec> = new Map([
  [protobufType, protobufCodec],
  [jsonType, jsonCodec],
]);
