/**
 * Walks a syntax tree. A position knows the way up to the root, because what an identifier means
 * depends on what stands around it.
 */
import { visitorKeys, type Node, type Program } from 'oxc-parser';

export interface Position {
  readonly node: Node;
  /** The property of the parent that holds this node, or a list with this node in it. */
  readonly key: string;
  readonly parent: Position | undefined;
}

/** All positions in the order of the text. */
export function allPositions(program: Program): Generator<Position> {
  return positions(program, () => true);
}

/** The positions that exist at run time: no types, no `declare`, no `import type`. */
export function valuePositions(program: Program): Generator<Position> {
  return positions(program, (node) => !isTypeOnly(node));
}

function* positions(program: Program, enters: (node: Node) => boolean): Generator<Position> {
  const waiting: Position[] = [{ node: program, key: '', parent: undefined }];
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    if (!enters(position.node)) continue;
    yield position;
    waiting.push(...childrenOf(position).toReversed());
  }
}

function childrenOf(parent: Position): Position[] {
  const keys = visitorKeys[parent.node.type] ?? [];
  return keys.flatMap((key) => {
    const value: unknown = Reflect.get(parent.node, key);
    const nodes: readonly unknown[] = Array.isArray(value) ? value : [value];
    return nodes.filter(isNode).map((node) => ({ node, key, parent }));
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function isTypeOnly(node: Node): boolean {
  if ('declare' in node && node.declare) return true;
  if ('importKind' in node && node.importKind === 'type') return true;
  if ('exportKind' in node && node.exportKind === 'type') return true;
  return node.type.startsWith('TS') && !valueNodesOfTypeScript.has(node.type);
}

/** What TypeScript adds that has a value inside, or is one. */
const valueNodesOfTypeScript: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSExportAssignment',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSParameterProperty',
  'TSImportEqualsDeclaration',
]);
