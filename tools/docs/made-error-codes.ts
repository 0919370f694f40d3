/**
 * Finds the code of every error that sources make: wherever a `CcmError`, or a class that extends it,
 * is constructed. What cannot be traced to a literal or to a type of codes is reported, so that a new
 * way of making errors cannot hide a code from the reference.
 */
import type { Argument, Expression, Node, TSType } from 'oxc-parser';
import {
  type ParsedFile,
  parseFile,
  type SourceFile,
} from '../../test/check/structure/source-file.ts';
import { allPositions, literalString, type Position, propertyName } from './syntax.ts';

interface MadeCodes {
  readonly codes: ReadonlySet<string>;
  /** Where an error is made whose code cannot be told: `path: new SomeError`. */
  readonly untraced: readonly string[];
}

export function findMadeCodes(files: readonly SourceFile[]): MadeCodes {
  const sources = files.map((file) => readSource(parseFile(file)));
  const types = codeTypes(sources);
  const family = errorClasses(sources);
  const codes = new Set([...types.values()].flat());
  const untraced: string[] = [];
  const fixed = new Set<string>();
  const made = sources.flatMap((source) => constructions(source, family));
  // Constructors first: a class that gives its own code needs none where it is made.
  for (const { source, args, owner, what } of made.toSorted(constructorsFirst)) {
    const code = codeArgument(source, args);
    const isGiven = owner !== undefined ? args.some(isName) : fixed.has(what);
    const traced = code === undefined ? undefined : trace(source, code, types);
    if (traced === undefined && (code !== undefined || !isGiven)) {
      untraced.push(`${source.file.path}: ${owner === undefined ? 'new' : 'super in'} ${what}`);
    }
    for (const one of traced ?? []) codes.add(one);
    if (owner !== undefined && traced !== undefined && traced.length > 0) fixed.add(owner);
  }
  return { codes, untraced };
}

interface Source {
  readonly file: ParsedFile;
  readonly positions: readonly Position[];
}

interface Construction {
  readonly source: Source;
  readonly args: readonly Argument[];
  /** The class whose constructor calls `super`. */
  readonly owner: string | undefined;
  readonly what: string;
}

function readSource(file: ParsedFile): Source {
  return { file, positions: [...allPositions(file.program)] };
}

function constructorsFirst(a: Construction, b: Construction): number {
  return Number(a.owner === undefined) - Number(b.owner === undefined);
}

/** `CcmError` and every class below it. */
function errorClasses(sources: readonly Source[]): ReadonlySet<string> {
  const parents = new Map(
    nodesOf(sources).flatMap((node) =>
      node.type === 'ClassDeclaration' && node.id !== null && node.superClass?.type === 'Identifier'
        ? [[node.id.name, node.superClass.name] as const]
        : [],
    ),
  );
  const isError = (name: string | undefined): boolean =>
    name !== undefined && (name === 'CcmError' || isError(parents.get(name)));
  return new Set(['CcmError', ...[...parents.keys()].filter(isError)]);
}

/** The types named `…Code` and their members; a type made from a table has its members there. */
function codeTypes(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    nodesOf(sources).flatMap((node) =>
      node.type === 'TSTypeAliasDeclaration' && node.id.name.endsWith('Code')
        ? [[node.id.name, membersOf(node.typeAnnotation)] as const]
        : [],
    ),
  );
}

function membersOf(type: TSType): readonly string[] {
  const types = type.type === 'TSUnionType' ? type.types : [type];
  return types.flatMap((one) =>
    one.type === 'TSLiteralType' ? (literalString(one.literal) ?? []) : [],
  );
}

function constructions(source: Source, family: ReadonlySet<string>): readonly Construction[] {
  return source.positions.flatMap((position): Construction[] => {
    const { node } = position;
    if (node.type === 'NewExpression' && isName(node.callee) && family.has(node.callee.name)) {
      return [{ source, args: node.arguments, owner: undefined, what: node.callee.name }];
    }
    if (node.type !== 'CallExpression' || node.callee.type !== 'Super') return [];
    const owner = classAround(position);
    if (owner === undefined || owner === 'CcmError' || !family.has(owner)) return [];
    return [{ source, args: node.arguments, owner, what: owner }];
  });
}

function classAround({ node, parent }: Position): string | undefined {
  if (node.type === 'ClassDeclaration') return node.id?.name;
  return parent === undefined ? undefined : classAround(parent);
}

/** `'Code'` or `code` as the first argument, or the field `code` of the facts. */
function codeArgument(source: Source, args: readonly Argument[]): Expression | undefined {
  const [first] = args;
  const isCode = /^[A-Z][A-Za-z\d]+$/.test(literalString(first) ?? '');
  if (first !== undefined && first.type !== 'SpreadElement') {
    if (isCode || (isName(first) && first.name === 'code')) return first;
  }
  for (const arg of args) {
    for (const facts of isName(arg) ? initialValues(source, arg.name) : [arg]) {
      const code = codeField(withoutTypes(facts));
      if (code !== undefined) return code;
    }
  }
  return undefined;
}

function codeField(facts: Node): Expression | undefined {
  if (facts.type !== 'ObjectExpression') return undefined;
  for (const field of facts.properties) {
    if (field.type === 'Property' && propertyName(field.key) === 'code') return field.value;
  }
  return undefined;
}

/** The codes that an expression can be; none where they are those of a type or of another error. */
function trace(
  source: Source,
  expression: Expression,
  types: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const node = withoutTypes(expression);
  const literal = literalString(node);
  if (literal !== undefined) return [literal];
  if (node.type === 'ConditionalExpression') {
    const either = [node.consequent, node.alternate].map((one) => trace(source, one, types));
    return either.includes(undefined) ? undefined : either.flatMap((codes) => codes ?? []);
  }
  if (node.type === 'CallExpression' && isName(node.callee)) {
    return returnsCode(source, node.callee.name, types) ? [] : undefined;
  }
  if (!isName(node)) return undefined;
  const values = initialValues(source, node.name);
  if (values.length === 0) return isOfCodeType(source, node.name, types) ? [] : undefined;
  const traced = values.map((value) => (isErrorItself(value) ? [] : trace(source, value, types)));
  return traced.includes(undefined) ? undefined : traced.flatMap((codes) => codes ?? []);
}

/** What variables of this name begin with; for `const { code } = err` that is `err`. */
function initialValues({ positions }: Source, name: string): readonly Expression[] {
  return positions.flatMap(({ node }) => {
    if (node.type !== 'VariableDeclarator' || node.init === null) return [];
    const { id, init } = node;
    if (isName(id)) return id.name === name ? [init] : [];
    if (id.type !== 'ObjectPattern') return [];
    const isBound = id.properties.some(
      (field) => field.type === 'Property' && isName(field.value) && field.value.name === name,
    );
    return isBound ? [init] : [];
  });
}

/** An error that was caught or passed in brings a code that was given where it was made. */
function isErrorItself(value: Expression): boolean {
  return isName(value) && value.name.startsWith('err');
}

function returnsCode(
  { positions }: Source,
  name: string,
  types: ReadonlyMap<string, unknown>,
): boolean {
  return positions.some(
    ({ node }) =>
      node.type === 'FunctionDeclaration' &&
      node.id?.name === name &&
      isCodeType(node.returnType?.typeAnnotation, types),
  );
}

/** Whether a parameter, or a field of one, has this name and a type of codes. */
function isOfCodeType(
  { positions }: Source,
  name: string,
  types: ReadonlyMap<string, unknown>,
): boolean {
  return positions.some(({ node }) => {
    const isNamed =
      (isName(node) && node.name === name) ||
      (node.type === 'TSPropertySignature' && propertyName(node.key) === name);
    if (!isNamed || !('typeAnnotation' in node)) return false;
    return isCodeType(node.typeAnnotation?.typeAnnotation, types);
  });
}

function isCodeType(type: TSType | undefined, types: ReadonlyMap<string, unknown>): boolean {
  return type?.type === 'TSTypeReference' && isName(type.typeName) && types.has(type.typeName.name);
}

function withoutTypes(node: Node): Node {
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression'
    ? withoutTypes(node.expression)
    : node;
}

function isName(node: Node): node is Extract<Node, { type: 'Identifier' }> {
  return node.type === 'Identifier';
}

function nodesOf(sources: readonly Source[]): readonly Node[] {
  return sources.flatMap(({ positions }) => positions.map(({ node }) => node));
}
