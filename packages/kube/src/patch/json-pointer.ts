/**
 * JSON pointers (RFC 6901): where in an object a patch writes, and what stands there. In a key, `~` and
 * `/` have to be escaped, which half of all label keys need.
 */
export type JsonPointer = string;

export function jsonPointer(...segments: readonly (string | number)[]): JsonPointer {
  let pointer = '';
  for (const segment of segments) pointer += `/${escaped(String(segment))}`;
  return pointer;
}

/** What stands at the place, or `undefined` where there is no such place. */
export function valueAt(document: unknown, pointer: JsonPointer): unknown {
  const segments = pointer.split('/').slice(1).map(unescaped);
  return segments.reduce(child, document);
}

function child(parent: unknown, segment: string): unknown {
  const isParent = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, segment);
  return isParent ? Reflect.get(parent, segment) : undefined;
}

/** The order matters: a `~` that stands for itself must not become part of another escape. */
function escaped(segment: string): string {
  if (!segment.includes('~') && !segment.includes('/')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(segment: string): string {
  if (!segment.includes('~')) return segment;
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
