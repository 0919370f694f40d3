/**
 * Removes secrets from log fields. The name of a field marks it as a secret, in any spelling
 * (`clientSecret`, `client_secret`, `CLIENT-SECRET`) and at any depth, including errors, arrays and
 * headers. It never throws: a log line must not make a controller fail.
 */
import { pino } from 'pino';
import { isRecord } from './record.ts';
import { CcmError } from './failure.ts';

export const redacted = '[redacted]';

type Fields = Record<string, unknown>;

/** The fields of a log line without secrets, and without names that the line itself uses. */
export function censorFields(fields: Fields): Fields {
  const censored = censor(fields, 0);
  if (!isRecord(censored)) return {};
  if (!Object.keys(censored).some((name) => ownNames.has(name))) return censored;
  return Object.fromEntries(
    Object.entries(censored).map(([name, value]) => [
      ownNames.has(name) ? `${name}_` : name,
      value,
    ]),
  );
}

const ownNames = new Set(['level', 'ts', 'msg']);

/** Deeper than anything worth reading in a log. */
const depthMax = 8;

function censor(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthMax) return '[too deep]';
  try {
    if (value instanceof Error) return censorRecord(fieldsOf(value), depth);
    if (hasToJson(value)) return censor(value.toJSON(), depth + 1);
    if (Array.isArray(value)) return censorList(value, depth);
    return censorRecord(value, depth);
  } catch {
    return '[unreadable]';
  }
}

/** An expected failure is logged with its code and message: a stack adds nothing and hides both. */
function fieldsOf(err: Error): object {
  const fields: unknown = pino.stdSerializers.errWithCause(err);
  if (!isRecord(fields)) return {};
  return err instanceof CcmError ? withoutStack(fields) : fields;
}

/** Also removes the stacks of its causes. A cause without a code is unexpected and keeps its stack. */
function withoutStack(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name !== 'stack')
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(lean) : lean(value)]),
  );
}

function lean(value: unknown): unknown {
  return isRecord(value) && 'code' in value ? withoutStack(value) : value;
}

function censorRecord(value: object, depth: number): Fields {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isSecret(name) ? redacted : censor(field, depth + 1),
    ]),
  );
}

/** A list of headers is often flat: a name, then its value. */
function censorList(list: readonly unknown[], depth: number): unknown[] {
  return list.map((item, index) => {
    const before = list[index - 1];
    const isValueOfSecret = index % 2 === 1 && typeof before === 'string' && isSecret(before);
    return isValueOfSecret ? redacted : censor(item, depth + 1);
  });
}

function isSecret(name: string): boolean {
  return secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

/** In lower case and without separators. */
const secretNames = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'bearertoken',
  'clientkeydata',
  'clientsecret',
  'cookie',
  'idtoken',
  'passphrase',
  'password',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'sessiontoken',
  'setcookie',
  'token',
  'xamzsecuritytoken',
  'xapikey',
  'xauthtoken',
]);

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
