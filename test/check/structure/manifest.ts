/** What the rules read of a `package.json`. */

export interface Manifest {
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
  /** The keys of `exports`: `.` and, for example, `./exam`. */
  readonly exports: ReadonlySet<string>;
}

/** Folders (`.` is the root) to what their `package.json` says. */
export type Manifests = ReadonlyMap<string, Manifest>;

/** Throws on text that is not JSON: npm would not have installed such a tree. */
export function parseManifest(text: string): Manifest {
  const json: unknown = JSON.parse(text);
  const exported = field(json, 'exports');
  return {
    dependencies: new Set([
      ...keysOf(field(json, 'dependencies')),
      ...keysOf(field(json, 'optionalDependencies')),
      ...keysOf(field(json, 'peerDependencies')),
    ]),
    devDependencies: new Set(keysOf(field(json, 'devDependencies'))),
    exports: new Set(typeof exported === 'string' ? ['.'] : keysOf(exported)),
  };
}

export const emptyManifest: Manifest = parseManifest('{}');

function field(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
