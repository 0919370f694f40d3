/** An error as one line for people: what was being done, and what caused it, with codes. */
import { isObject, type JsonObject } from './json-object.ts';

/** Deeper than any chain that somebody would read to its end. */
const causesMax = 8;

/** `message (CODE): cause (CODE)` of an error as the logger writes it; undefined for anything else. */
export function errorChain(value: JsonObject): string | undefined {
  // The logger gives every error its stack, which is left to the JSON lines.
  if (typeof value['message'] !== 'string' || typeof value['stack'] !== 'string') return undefined;
  const parts: string[] = [];
  let at: unknown = value;
  while (isObject(at) && parts.length < causesMax) {
    parts.push(describe(at));
    at = at['cause'];
  }
  return parts.join(': ');
}

function describe(err: JsonObject): string {
  const { type, message, code, aggregateErrors } = err;
  const several = Array.isArray(aggregateErrors) ? aggregateErrors.slice(0, causesMax) : [];
  const parts = several.filter(isObject).map((one) => String(one['message']));
  // A connection that failed on every address of a host has no message of its own.
  const texts = [message, parts.join('; '), type].filter((text) => typeof text === 'string');
  const words = texts.find((text) => text !== '') ?? 'unknown error';
  return typeof code === 'string' ? `${words} (${code})` : words;
}
