/**
 * How the files of a release and its image were made, as SLSA provenance: an in-toto statement about the
 * files, and its predicate alone, which cosign puts into a statement about the image.
 */
export interface Build {
  readonly version: string;
  readonly commit: string;
  /** Where the sources are, as `https://host/owner/name`. */
  readonly source: string;
  /** What ran the build: the address of a workflow at a tag, say. */
  readonly builder: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** What the build read beside the commit: images by digest, and the Node.js that bundled. */
  readonly dependencies: readonly Dependency[];
}

interface Dependency {
  readonly uri: string;
  readonly digest?: Readonly<Record<string, string>>;
}

export interface Subject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

interface Predicate {
  readonly buildDefinition: {
    readonly buildType: string;
    readonly externalParameters: Readonly<Record<string, string>>;
    readonly resolvedDependencies: readonly Dependency[];
  };
  readonly runDetails: {
    readonly builder: { readonly id: string };
    readonly metadata: { readonly startedOn: string; readonly finishedOn: string };
  };
}

interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly Subject[];
  readonly predicateType: 'https://slsa.dev/provenance/v1';
  readonly predicate: Predicate;
}

export function provenanceOf(build: Build): Predicate {
  const tag = `v${build.version}`;
  const sources = {
    uri: `git+${build.source}@refs/tags/${tag}`,
    digest: { gitCommit: build.commit },
  };
  return {
    buildDefinition: {
      buildType: `${build.source}/blob/${tag}/tools/release/main.ts`,
      externalParameters: { source: build.source, ref: `refs/tags/${tag}`, version: build.version },
      resolvedDependencies: [sources, ...build.dependencies],
    },
    runDetails: {
      builder: { id: build.builder },
      metadata: { startedOn: seconds(build.startedAt), finishedOn: seconds(build.finishedAt) },
    },
  };
}

export function statementAbout(subject: readonly Subject[], predicate: Predicate): Statement {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate,
  };
}

function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
