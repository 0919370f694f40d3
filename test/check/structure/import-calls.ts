/**
 * Calls that load or locate a module: `require` by whatever name `createRequire` gave it,
 * `require.resolve`, `import.meta.resolve` and `process.getBuiltinModule`.
 */
import type { CallExpression, Node, Program } from 'oxc-parser';
import { propertyName } from './names.ts';
import { valuePositions } from './positions.ts';

/** The names under which a file can call `require`. */
export function requireNames(program: Program): ReadonlySet<string> {
  const names = new Set(['require']);
  for (const { node } of valuePositions(program)) {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') continue;
    if (node.init !== null && isCreateRequire(node.init)) names.add(node.id.name);
  }
  return names;
}

/** How this call reaches the module that its first argument names, if it does. */
export function calledModule(
  { callee }: CallExpression,
  requires: ReadonlySet<string>,
): 'require' | 'resolve' | undefined {
  if (isRequire(callee, requires)) return 'require';
  if (callee.type !== 'MemberExpression') return undefined;
  const member = propertyName(callee.property, callee.computed);
  if (member === 'getBuiltinModule') return 'require';
  if (member !== 'resolve') return undefined;
  return isRequire(callee.object, requires) || callee.object.type === 'MetaProperty'
    ? 'resolve'
    : undefined;
}

function isRequire(node: Node, requires: ReadonlySet<string>): boolean {
  return (node.type === 'Identifier' && requires.has(node.name)) || isCreateRequire(node);
}

/** Whether this is `createRequire(…)` or `module.createRequire(…)`. */
function isCreateRequire(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  if (callee.type === 'Identifier') return callee.name === 'createRequire';
  if (callee.type !== 'MemberExpression') return false;
  return propertyName(callee.property, callee.computed) === 'createRequire';
}
