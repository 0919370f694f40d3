/**
 * Tells what an identifier does where it stands, from its surroundings alone: there is no scope
 * analysis, because the rules forbid local names that would need one.
 */
import type { Node } from 'oxc-parser';
import type { Position } from './positions.ts';

/**
 * `value` reads or writes a variable; `binding` declares one; `label` only names a property, a
 * member or the like, and means no variable at all.
 */
export type NameRole = 'value' | 'binding' | 'label';

export function roleOf(position: Position): NameRole {
  const { key, parent } = position;
  if (parent === undefined) return 'value';
  if (isLabel(parent, key)) return 'label';
  if (bindingKeys[parent.node.type]?.includes(key)) return 'binding';
  return isInsidePattern(parent, key) ? roleOf(parent) : 'value';
}

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

function isLabel({ node, parent }: Position, key: string): boolean {
  if (node.type === 'ExportSpecifier' && key === 'local') {
    const declaration = parent?.node;
    return declaration?.type === 'ExportNamedDeclaration' && declaration.source !== null;
  }
  if (!labelKeys[node.type]?.includes(key)) return false;
  return !('computed' in node && node.computed);
}

/** In `{ a: [b = c] }` the pattern as a whole decides whether `b` is declared or assigned. */
function isInsidePattern({ node, parent }: Position, key: string): boolean {
  switch (node.type) {
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'RestElement':
      return true;
    case 'AssignmentPattern':
      return key === 'left';
    case 'Property':
      return key === 'value' && parent?.node.type === 'ObjectPattern';
    default:
      return false;
  }
}

type Keys = Readonly<Partial<Record<string, readonly string[]>>>;

const labelKeys: Keys = {
  MemberExpression: ['property'],
  Property: ['key'],
  MethodDefinition: ['key'],
  PropertyDefinition: ['key'],
  AccessorProperty: ['key'],
  ImportSpecifier: ['imported'],
  ImportAttribute: ['key'],
  ExportSpecifier: ['exported'],
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  TSEnumMember: ['id'],
};

const bindingKeys: Keys = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  CatchClause: ['param'],
  ImportSpecifier: ['local'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
  TSEnumDeclaration: ['id'],
  TSModuleDeclaration: ['id'],
  TSParameterProperty: ['parameter'],
  TSImportEqualsDeclaration: ['id'],
};
