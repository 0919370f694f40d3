/** What `npm run release` is told. All that is wrong is said at once. */
import { parseArgs } from 'node:util';
import { type PushedImage, registryPattern } from '../chart/values/values.ts';

export interface ReleaseOptions {
  readonly version: string;
  readonly output: string;
  readonly source: string;
  readonly builder: string;
  /** None in a dry run. */
  readonly publishing: Target | undefined;
  /** In a dry run: an image that was pushed before, for the chart and the manifests to name. */
  readonly image: PushedImage | undefined;
}

interface Target {
  readonly registry: string;
  readonly base: string;
  readonly key: string | undefined;
  readonly isPlainHTTP: boolean;
}

/** Of the tree that is released. */
export interface Tree {
  readonly version: string;
  /** In `Chart.yaml`: of the chart and of the program that it starts. */
  readonly chartVersions: readonly string[];
  readonly isDirty: boolean;
}

type ReadOptions =
  | { readonly kind: 'help' }
  | { readonly kind: 'options'; readonly options: ReleaseOptions }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

export const usage = `Makes the files of a release, pushes the image and the chart, and signs all of it.
docs/guides/release.md has the rest.

Usage:
  npm run release -- --dry-run --version VERSION [--output FOLDER] [--source URL] [--builder URL]
      [--registry REGISTRY --digest sha256:DIGEST]
  npm run release -- --version VERSION --registry REGISTRY --base IMAGE@sha256:DIGEST --source URL --builder URL

Options:
  --version VERSION    the version that the program and the chart have
  --dry-run            make the files alone: no image is built, nothing is pushed or signed
  --output FOLDER      where the files go, an empty folder or a new one (default dist/release)
  --registry REGISTRY  where the image and the chart go, such as registry.example.com or ghcr.io/owner;
                       in a dry run, where you pushed the image
  --digest DIGEST      in a dry run: the digest of the image that you pushed, which the chart and the
                       manifests then name
  --base IMAGE         the base of the image, by digest
  --source URL         the address of the repository
  --builder URL        what builds
  --key FILE           a private key of cosign; without it cosign signs with an identity
  --plain-http         for a registry on this machine
  -h, --help           show this
`;

/** A name that nobody can own. */
const nowhere = 'https://tandem.invalid';

const known = {
  version: { type: 'string' },
  output: { type: 'string' },
  source: { type: 'string' },
  builder: { type: 'string' },
  registry: { type: 'string' },
  digest: { type: 'string' },
  base: { type: 'string' },
  key: { type: 'string' },
  'plain-http': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export function readOptions(args: readonly string[], tree: Tree): ReadOptions {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (err) {
    return { kind: 'problems', problems: [err instanceof Error ? err.message : String(err)] };
  }
  if (values.help === true) return { kind: 'help' };
  const isDryRun = values['dry-run'] === true;
  const { version = '', registry = '', digest, base = '', source, builder } = values;
  const problems = [
    ...problemsOfVersion(values, tree),
    ...(isDryRun ? problemsOfDryRun(values) : problemsOfRelease(values, tree)),
    ...problemsOfAddresses(values),
  ];
  if (problems.length > 0) return { kind: 'problems', problems };
  const isPlainHTTP = values['plain-http'] === true;
  const target = { registry, base, key: values.key, isPlainHTTP };
  const options = {
    version,
    output: values.output ?? 'dist/release',
    source: source ?? nowhere,
    builder: builder ?? `${nowhere}/by-hand`,
    publishing: isDryRun ? undefined : target,
    image: digest === undefined ? undefined : { registry, digest },
  };
  return { kind: 'options', options };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: known }).values;
}

type Values = ReturnType<typeof parse>;

function problemsOfVersion({ version }: Values, tree: Tree): string[] {
  if (version === undefined) {
    return [`--version is required: the program's version is ${tree.version}`];
  }
  const given = `--version is ${JSON.stringify(version)}`;
  if (version !== tree.version) return [`${given}, but the program's version is ${tree.version}`];
  const other = tree.chartVersions.find((each) => each !== version);
  return other === undefined ? [] : [`${given}, but manifests/chart/Chart.yaml has ${other}`];
}

/** A dry run builds no image and signs nothing. It can name an image that is there already. */
function problemsOfDryRun(values: Values): string[] {
  const others = ['base', 'key', 'plain-http'] as const;
  return [
    ...others
      .filter((name) => values[name] !== undefined)
      .map((name) => `--${name} does nothing in a dry run`),
    ...problemsOfNamedImage(values),
  ];
}

function problemsOfNamedImage({ registry, digest }: Values): string[] {
  if (registry === undefined && digest === undefined) return [];
  if (registry === undefined) return ['--digest requires --registry'];
  if (digest === undefined) return ['--registry requires --digest in a dry run'];
  return [
    ...problemsOfRegistry(registry),
    ...(/^sha256:[0-9a-f]{64}$/.test(digest)
      ? []
      : [`--digest ${JSON.stringify(digest)} is not sha256: and 64 hexadecimal digits`]),
  ];
}

function problemsOfRelease(values: Values, tree: Tree): string[] {
  const { registry, digest, base, source, builder } = values;
  return [
    ...(digest === undefined
      ? []
      : ['--digest requires --dry-run: a release pushes its own image']),
    ...(tree.isDirty ? ['files differ from the commit: commit them, or add --dry-run'] : []),
    ...problemsOfRegistry(registry),
    ...(/@sha256:[0-9a-f]{64}$/.test(base ?? '') ? [] : ['--base is IMAGE@sha256:DIGEST']),
    ...(source === undefined ? ['--source is the address of the repository'] : []),
    ...(builder === undefined ? ['--builder says what builds, as an address'] : []),
  ];
}

/** The chart takes the registry too, and it takes it after the image has been pushed. */
function problemsOfRegistry(registry: string | undefined): string[] {
  if (registry === undefined) return ['--registry says where the image goes'];
  if (new RegExp(registryPattern).test(registry)) return [];
  return [`--registry ${JSON.stringify(registry)} is not HOST[:PORT][/PATH]`];
}

/** Others make links of them: the release notes, the krew manifest and the provenance. */
function problemsOfAddresses({ source, builder }: Values): string[] {
  return Object.entries({ source, builder })
    .filter(([, address]) => address !== undefined && !/^https?:\/\/\S+[^/\s]$/.test(address))
    .map(([name, address]) => `--${name} ${JSON.stringify(address)} is not https://HOST/PATH`);
}
