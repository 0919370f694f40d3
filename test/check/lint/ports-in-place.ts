/**
 * A linter rule for what the built-in rules cannot express: `new Date()` and `Date()` read the clock, and an alias of
 * a global (`const D = Date`) escapes the rules that ban its members.
 */
interface Node {
  readonly type: string;
  readonly name?: string;
}

interface Called extends Node {
  readonly callee: Node;
  readonly arguments: readonly Node[];
}

interface Context {
  report(problem: { readonly node: Node; readonly message: string }): void;
}

type Visitor = Readonly<Record<string, (node: never) => void>>;

const watched: ReadonlySet<string> = new Set([
  'AbortSignal',
  'crypto',
  'Date',
  'Math',
  'process',
  'Temporal',
]);

const readsClock =
  'This reads the clock. Take a Clock from @tandem/runtime; tests pass the virtual clock and advance it.';

function create(context: Context): Visitor {
  const refuseAlias = (target: Node, source: Node | null): void => {
    if (target.type !== 'Identifier' || source?.type !== 'Identifier') return;
    if (!watched.has(source.name ?? '')) return;
    const message = `Use ${source.name} by its name: under another one its members escape the rules for ports.`;
    context.report({ node: source, message });
  };
  return {
    CallExpression({ callee }: Called) {
      if (isDate(callee)) context.report({ node: callee, message: readsClock });
    },
    NewExpression({ callee, arguments: given }: Called) {
      if (isDate(callee) && given.length === 0) {
        context.report({ node: callee, message: readsClock });
      }
    },
    VariableDeclarator: ({ id, init }: { readonly id: Node; readonly init: Node | null }) =>
      refuseAlias(id, init),
    AssignmentExpression: ({ left, right }: { readonly left: Node; readonly right: Node }) =>
      refuseAlias(left, right),
  };
}

function isDate({ type, name }: Node): boolean {
  return type === 'Identifier' && name === 'Date';
}

interface Plugin {
  readonly meta: { readonly name: string };
  readonly rules: Readonly<Record<string, { create(context: Context): Visitor }>>;
}

const plugin: Plugin = { meta: { name: 'tandem' }, rules: { 'ports-in-place': { create } } };

export default plugin;
