/**
 * JSON pointers (RFC 6901): the paths of a patch. `~` and `/` in a key are escaped, which half of all
 * label keys need.
 */
export type JsonPointer = string;

export function jsonPointer(...segments: readonly (string | number)[]): JsonPointer {
  let pointer = '';
  for (const segment of segments) pointer += `/${escaped(String(segment))}`;
  return pointer;
}

/** The value at the path, or `undefined` if there is none. */
export function valueAt(document: unknown, pointer: JsonPointer): unknown {
  const segments = pointer.split('/').slice(1).map(unescaped);
  return segments.reduce(child, document);
}

function child(parent: unknown, segment: string): unknown {
  const isParent = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, segment);
  return isParent ? Reflect.get(parent, segment) : undefined;
}

/** The order matters: a literal `~` must not become part of another escape. */
function escaped(segment: string): string {
  if (!segment.includes('~') && !segment.includes('/')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(segment: string): string {
  if (!segment.includes('~')) return segment;
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
