/**
 * Finds every way in which a file reaches another module: `import`, `import type`, `export from`,
 * `import()`, `import('x').Type`, and the calls that `import-calls.ts` knows. The rules about
 * imports all read this list, so that none of them has a way around it.
 */
import type { ExportSpecifier, ImportDeclarationSpecifier, Node, Program } from 'oxc-parser';
import { calledModule, requireNames } from './import-calls.ts';
import { literalString, propertyName } from './names.ts';
import { allPositions } from './positions.ts';

export interface ModuleUse {
  /** Undefined where it is computed, so that nobody can tell by reading. */
  readonly specifier: string | undefined;
  readonly form: 'static' | 'dynamic' | 'resolve' | 'require';
  readonly isTypeOnly: boolean;
  /** What a static import or export takes from the module; `*` is all of it. No types. */
  readonly names: readonly ImportedName[];
  readonly offset: number;
}

export interface ImportedName {
  readonly imported: string;
  /** Absent for `export … from`. */
  readonly local?: string;
  readonly offset: number;
}

export function moduleUses(program: Program): ModuleUse[] {
  const requires = requireNames(program);
  return [...allPositions(program)].flatMap(({ node }) => {
    const use = node.type === 'CallExpression' ? calledUse(node, requires) : writtenUse(node);
    return use === undefined ? [] : [use];
  });
}

function calledUse(
  node: Extract<Node, { type: 'CallExpression' }>,
  requires: ReadonlySet<string>,
): ModuleUse | undefined {
  const form = calledModule(node, requires);
  return form === undefined ? undefined : { ...plainUse(node.arguments[0], node), form };
}

function writtenUse(node: Node): ModuleUse | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return {
        ...plainUse(node.source, node),
        isTypeOnly: node.importKind === 'type',
        names: node.specifiers.flatMap(importedName),
      };
    case 'ExportNamedDeclaration':
      if (node.source === null) return undefined;
      return {
        ...plainUse(node.source, node),
        isTypeOnly: node.exportKind === 'type',
        names: node.specifiers.flatMap(exportedName),
      };
    case 'ExportAllDeclaration':
      return {
        ...plainUse(node.source, node),
        isTypeOnly: node.exportKind === 'type',
        names: [{ imported: '*', offset: node.start }],
      };
    case 'TSImportType':
      return { ...plainUse(node.source, node), isTypeOnly: true };
    case 'TSExternalModuleReference':
      return { ...plainUse(node.expression, node), form: 'require' };
    case 'ImportExpression':
      return { ...plainUse(node.source, node), form: 'dynamic' };
    default:
      return undefined;
  }
}

function plainUse(source: Node | undefined, statement: Node): ModuleUse {
  const specifier = literalString(source);
  return { specifier, form: 'static', isTypeOnly: false, names: [], offset: statement.start };
}

function importedName(specifier: ImportDeclarationSpecifier): ImportedName[] {
  const local = specifier.local.name;
  const offset = specifier.start;
  switch (specifier.type) {
    case 'ImportDefaultSpecifier':
      return [{ imported: 'default', local, offset }];
    case 'ImportNamespaceSpecifier':
      return [{ imported: '*', local, offset }];
    case 'ImportSpecifier': {
      if (specifier.importKind === 'type') return [];
      return [{ imported: propertyName(specifier.imported) ?? '', local, offset }];
    }
    default:
      return specifier satisfies never;
  }
}

function exportedName(specifier: ExportSpecifier): ImportedName[] {
  if (specifier.exportKind === 'type') return [];
  return [{ imported: propertyName(specifier.local) ?? '', offset: specifier.start }];
}
