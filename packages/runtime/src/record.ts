/** Values of unknown type, from JSON, YAML or a `catch`. */

/** An object with named fields, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of the value if it is an object. Getters may throw. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The code of a system error, such as `EACCES`. */
export function errorCodeOf(err: unknown): string | undefined {
  const code = fieldOf(err, 'code');
  return typeof code === 'string' ? code : undefined;
}
