/** Reads strings and names of properties from syntax, as far as they are known without running it. */
import type { Node } from 'oxc-parser';

/** The string that an expression is known to be: a literal or a template without holes. */
export function literalString(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** The name of a property as written: `a.b`, `a['b']`, `{ b: … }`; undefined when computed. */
export function propertyName(key: Node, isComputed = false): string | undefined {
  if (key.type === 'Identifier' && !isComputed) return key.name;
  return literalString(key);
}
