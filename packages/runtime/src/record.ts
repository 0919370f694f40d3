/** Values of which nothing is known yet, as they come out of JSON, YAML or a `catch`. */

/** An object with named fields; a list is none. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of the value, where it is an object; getters may throw. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The short name of a system's error, such as `EACCES`. */
export function errorCodeOf(err: unknown): string | undefined {
  const code = fieldOf(err, 'code');
  return typeof code === 'string' ? code : undefined;
}
