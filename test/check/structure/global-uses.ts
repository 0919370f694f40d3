/**
 * Finds each place where code touches a guarded or banned global, directly, through `globalThis`,
 * or through a module that is the same object, and tells what it does with it.
 */
import type { Node, ObjectPattern } from 'oxc-parser';
import { propertyName, roleOf } from './names.ts';
import { globalObjects } from './ports.ts';
import { valuePositions, type Position } from './positions.ts';
import type { ParsedFile } from './source-file.ts';

export interface GlobalUse {
  /** The name of the global, whatever it is called here. */
  readonly name: string;
  readonly action: Action;
  readonly offset: number;
}

export type Action =
  /** `X.member`; undefined where the name is computed. */
  | { readonly kind: 'member'; readonly member: string | undefined }
  /** `const { member } = X`; undefined also for a rest element, which takes all of them. */
  | { readonly kind: 'destructure'; readonly members: readonly (string | undefined)[] }
  /** `new X(…)`, with at least one argument that is not a spread, or not. */
  | { readonly kind: 'construct'; readonly hasArgument: boolean }
  /** `value instanceof X`. */
  | { readonly kind: 'test' }
  /** Called, passed on, assigned: anything could happen to it. */
  | { readonly kind: 'value' }
  /** A local variable of that name. */
  | { readonly kind: 'shadow' };

/** `aliases` maps local names to the globals that they stand for. */
export function globalUses(file: ParsedFile, aliases: ReadonlyMap<string, string>): GlobalUse[] {
  return [...valuePositions(file.program)].flatMap((position): GlobalUse[] => {
    const { node } = position;
    if (node.type === 'Identifier' && roleOf(position) === 'binding') {
      return [{ name: node.name, action: { kind: 'shadow' }, offset: node.start }];
    }
    if (node.type === 'Identifier' && roleOf(position) === 'label') return [];
    const name = globalName(node, aliases);
    if (name === undefined) return [];
    return [{ name, action: actionOn(position), offset: node.start }];
  });
}

/** `Date`, `globalThis.Date` and `globalThis['Date']` all are `Date`. */
function globalName(node: Node, aliases: ReadonlyMap<string, string>): string | undefined {
  if (node.type === 'Identifier') return aliases.get(node.name) ?? node.name;
  if (node.type !== 'MemberExpression') return undefined;
  const owner = globalName(withoutTypes(node.object), aliases);
  if (owner === undefined || !globalObjects.has(owner)) return undefined;
  return propertyName(node.property, node.computed);
}

function actionOn(position: Position): Action {
  const { key, parent } = outermost(position);
  const node = parent?.node;
  if (node?.type === 'MemberExpression' && key === 'object') {
    return { kind: 'member', member: propertyName(node.property, node.computed) };
  }
  if (node?.type === 'VariableDeclarator' && key === 'init' && node.id.type === 'ObjectPattern') {
    return { kind: 'destructure', members: patternMembers(node.id) };
  }
  if (node?.type === 'NewExpression' && key === 'callee') {
    const [first] = node.arguments;
    return {
      kind: 'construct',
      hasArgument: first !== undefined && first.type !== 'SpreadElement',
    };
  }
  if (node?.type === 'BinaryExpression' && node.operator === 'instanceof' && key === 'right') {
    return { kind: 'test' };
  }
  return { kind: 'value' };
}

function patternMembers(pattern: ObjectPattern): (string | undefined)[] {
  return pattern.properties.map((property) =>
    property.type === 'Property' ? propertyName(property.key, property.computed) : undefined,
  );
}

/** Leaves the wrappers that exist for the compiler only: `(process as Any)!` is `process`. */
function outermost(position: Position): Position {
  const { parent } = position;
  return parent !== undefined && typeWrappers.has(parent.node.type) ? outermost(parent) : position;
}

function withoutTypes(node: Node): Node {
  return typeWrappers.has(node.type) && 'expression' in node && typeof node.expression === 'object'
    ? withoutTypes(node.expression)
    : node;
}

const typeWrappers: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'ChainExpression',
]);
