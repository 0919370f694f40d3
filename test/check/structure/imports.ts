/** Every module that a file imports or exports from, as the parser lists them. The linter refuses `require`. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { EcmaScriptModule } from 'oxc-parser';

export interface ModuleUse {
  /** Undefined where it is computed, so that a reader cannot tell. */
  readonly specifier: string | undefined;
  readonly target: Target;
  readonly form: 'static' | 'dynamic';
  readonly offset: number;
}

/** What a specifier names. */
type Target =
  | { readonly kind: 'builtin' }
  /** `path` is relative to the root of the tree, as the importing file's path is. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'house'; readonly name: string; readonly subpath: string }
  | { readonly kind: 'third-party'; readonly name: string }
  /** An absolute path, a URL or a `#name`, which a reader cannot follow. */
  | { readonly kind: 'opaque' }
  | { readonly kind: 'computed' };

export function moduleUses(
  { staticImports, staticExports, dynamicImports }: EcmaScriptModule,
  { path, text }: { readonly path: string; readonly text: string },
): ModuleUse[] {
  const exportedFrom = staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest }) =>
      moduleRequest === null ? [] : [{ start, moduleRequest }],
    ),
  );
  const written = [...staticImports, ...exportedFrom].map(({ start, moduleRequest }): ModuleUse => {
    const specifier = moduleRequest.value;
    return { specifier, target: targetOf(specifier, path), form: 'static', offset: start };
  });
  const loaded = dynamicImports.map(({ start, moduleRequest }): ModuleUse => {
    const argument = text.slice(moduleRequest.start, moduleRequest.end);
    const specifier = /^(['"`])([^'"`$]*)\1$/.exec(argument)?.[2];
    const target: Target =
      specifier === undefined ? { kind: 'computed' } : targetOf(specifier, path);
    return { specifier, target, form: 'dynamic', offset: start };
  });
  return [...written, ...loaded];
}

function targetOf(specifier: string, importer: string): Target {
  if (isBuiltin(specifier)) return { kind: 'builtin' };
  if (/^\.\.?(?:\/|$)/.test(specifier)) {
    return { kind: 'file', path: posix.join(posix.dirname(importer), specifier) };
  }
  if (/^(?:[#/]|[a-z]+:)/.test(specifier)) return { kind: 'opaque' };
  const parts = specifier.split('/');
  const nameLength = specifier.startsWith('@') ? 2 : 1;
  const name = parts.slice(0, nameLength).join('/');
  if (!name.startsWith('@tandem/')) return { kind: 'third-party', name };
  return { kind: 'house', name, subpath: ['.', ...parts.slice(nameLength)].join('/') };
}
