/** Reads a module specifier: what kind of thing it names, before any rule judges it. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

export type Specifier =
  | { readonly kind: 'builtin'; readonly name: string }
  /** `path` is relative to the root of the tree, as the importing file's path is. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'house'; readonly name: string; readonly subpath: string }
  | { readonly kind: 'third-party'; readonly name: string }
  /** An absolute path, a URL or a `#name`: nothing that a reader can follow. */
  | { readonly kind: 'opaque' };

export function readSpecifier(specifier: string, importer: string): Specifier {
  if (isBuiltin(specifier)) return { kind: 'builtin', name: specifier.replace(/^node:/, '') };
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
