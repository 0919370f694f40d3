/** Walks syntax trees, and reads strings and property names in them. */
import { type Node, type Program, visitorKeys } from 'oxc-parser';

/** A node with its ancestors, because the meaning of a name depends on them. */
export interface Position {
  readonly node: Node;
  readonly parent: Position | undefined;
}

/** All positions in the order of the text. */
export function* allPositions(program: Program): Generator<Position> {
  const waiting: Position[] = [{ node: program, parent: undefined }];
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    yield position;
    waiting.push(...childrenOf(position).toReversed());
  }
}

function childrenOf(parent: Position): Position[] {
  const keys = visitorKeys[parent.node.type] ?? [];
  const values: unknown[] = keys.flatMap((key) => Reflect.get(parent.node, key));
  return values.filter(isNode).map((node) => ({ node, parent }));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The string that an expression is known to be: a literal or a template without holes. */
export function literalString(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** The name of a property as written: `b: …` or `'b': …`. */
export function propertyName(key: Node): string | undefined {
  return key.type === 'Identifier' ? key.name : literalString(key);
}
