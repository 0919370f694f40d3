/** An error as one line: what was being done, and what caused it, with codes. */
import { isRecord } from './record.ts';

/** Longer than any chain that is worth reading. */
const causesMax = 8;

/** `message (CODE): cause (CODE)` of an error as the logger writes it; undefined for anything else. */
export function errorChain(value: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof value['message'] !== 'string' || !isError(value)) return undefined;
  const parts: string[] = [];
  let at: unknown = value;
  while (isRecord(at) && parts.length < causesMax) {
    if (addsTo(parts.join(': '), at)) parts.push(describe(at));
    at = at['cause'];
  }
  return parts.join(': ');
}

/** Many errors already quote their cause, by its message or by its system error code. */
function addsTo(text: string, { message, code }: Readonly<Record<string, unknown>>): boolean {
  const isQuoted = typeof message === 'string' && message !== '' && text.includes(message);
  const isNamed = typeof code === 'string' && systemCode.test(code) && text.includes(code);
  return !isQuoted && !isNamed;
}

/** Such as `ENOENT`. */
const systemCode = /^E[A-Z0-9]+$/;

/** The logger writes an unexpected error with its stack, an expected one with the facts of a `CcmError`. */
function isError({ stack, code, retry, effect }: Readonly<Record<string, unknown>>): boolean {
  const isExpected = typeof code === 'string' && retry !== undefined && effect !== undefined;
  return typeof stack === 'string' || isExpected;
}

function describe(err: Readonly<Record<string, unknown>>): string {
  const { type, message, code, aggregateErrors } = err;
  const several = Array.isArray(aggregateErrors) ? aggregateErrors.slice(0, causesMax) : [];
  const parts = several.filter(isRecord).map((one) => String(one['message']));
  // A connection that failed on every address of a host has no message of its own.
  const texts = [message, parts.join('; '), type].filter((text) => typeof text === 'string');
  const words = texts.find((text) => text !== '') ?? 'unknown error';
  return typeof code === 'string' ? `${words} (${code})` : words;
}
