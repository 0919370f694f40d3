/**
 * Cuts npm's SPDX document of the whole lock file down to what ships. npm itself can leave out development
 * dependencies, but it then drops the SDKs as well, which the root lists for its tests, and keeps
 * packages that never reach the bundle. What esbuild put into the bundle is the exact answer.
 */

export interface SpdxDocument {
  readonly documentDescribes: readonly string[];
  readonly packages: readonly SpdxPackage[];
  readonly relationships: readonly SpdxRelationship[];
  readonly [field: string]: unknown;
}

interface SpdxPackage {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo: string;
  readonly [field: string]: unknown;
}

interface SpdxRelationship {
  readonly spdxElementId: string;
  readonly relatedSpdxElement: string;
  readonly relationshipType: string;
}

/** The part that matters of `package-lock.json`: what lies in each folder of the tree. */
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version?: string }>
  >;
}

/** The sources are those of the bundle, from the root of the tree. */
export function shippedPackages(
  document: SpdxDocument,
  { lock, sources }: { readonly lock: Lock; readonly sources: readonly string[] },
): SpdxDocument {
  const folders = new Set(sources.map(packageFolder));
  // The document has a package once, in whichever folders it lies.
  const shipped = new Set([...folders].map((folder) => pinnedIn(lock, folder)));
  const known = new Set(document.packages.map(pinned));
  const unknown = [...shipped].filter((each) => !known.has(each));
  if (unknown.length > 0) throw new Error(`npm does not describe ${unknown.join(', ')}`);
  const packages = document.packages.filter(
    (each) => document.documentDescribes.includes(each.SPDXID) || shipped.has(pinned(each)),
  );
  const kept = new Set(['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }) => SPDXID)]);
  const relationships = document.relationships.filter(
    ({ spdxElementId, relatedSpdxElement }) =>
      kept.has(spdxElementId) && kept.has(relatedSpdxElement),
  );
  return { ...document, packages, relationships };
}

function pinned({ name, versionInfo }: SpdxPackage): string {
  return `${name}@${versionInfo}`;
}

function pinnedIn(lock: Lock, folder: string): string {
  const entry = lock.packages[folder];
  if (entry?.version === undefined) {
    throw new Error(`package-lock.json does not have ${folder}: run npm ci`);
  }
  const { name = folder.replace(/^(?:.*\/)?node_modules\//, ''), version } = entry;
  return `${name}@${version}`;
}

/** The folder of the package that a source belongs to. */
function packageFolder(source: string): string {
  const found =
    /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source) ??
    /^(?:packages|providers)\/[^/]+(?=\/)/.exec(source);
  if (found === null) throw new Error(`${source} belongs to no package`);
  return found[0];
}
