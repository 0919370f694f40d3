/** What `npm run release` is told. All that is wrong is said at once. */
import { parseArgs } from 'node:util';

export interface ReleaseOptions {
  readonly version: string;
  readonly output: string;
  readonly source: string;
  readonly builder: string;
  /** None in a dry run. */
  readonly publishing: Target | undefined;
}

export interface Target {
  readonly registry: string;
  readonly base: string;
  readonly key: string | undefined;
  readonly isPlainHTTP: boolean;
}

/** Of the tree that is released. */
export interface Tree {
  readonly version: string;
  readonly isDirty: boolean;
}

export type ReadOptions =
  | { readonly kind: 'options'; readonly options: ReleaseOptions }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** A name that nobody can own. */
const nowhere = 'https://tandem.invalid';

const known = {
  version: { type: 'string' },
  output: { type: 'string' },
  source: { type: 'string' },
  builder: { type: 'string' },
  registry: { type: 'string' },
  base: { type: 'string' },
  key: { type: 'string' },
  'plain-http': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

export function readOptions(args: readonly string[], tree: Tree): ReadOptions {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (err) {
    return { kind: 'problems', problems: [err instanceof Error ? err.message : String(err)] };
  }
  const isDryRun = values['dry-run'] === true;
  const { version = '', registry, base, source, builder } = values;
  const problems = [
    ...(version === tree.version
      ? []
      : [`--version is ${JSON.stringify(version)}, but the program's version is ${tree.version}`]),
    ...(isDryRun ? problemsOfDryRun(values) : problemsOfRelease(values, tree)),
  ];
  if (problems.length > 0) return { kind: 'problems', problems };
  const isPlainHTTP = values['plain-http'] === true;
  const target = { registry: registry ?? '', base: base ?? '', key: values.key, isPlainHTTP };
  const options = {
    version,
    output: values.output ?? 'dist/release',
    source: source ?? nowhere,
    builder: builder ?? `${nowhere}/by-hand`,
    publishing: isDryRun ? undefined : target,
  };
  return { kind: 'options', options };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: known }).values;
}

type Values = ReturnType<typeof parse>;

/** A dry run builds no image and signs nothing, so that it takes nothing about either. */
function problemsOfDryRun(values: Values): string[] {
  const others = ['registry', 'base', 'key', 'plain-http'] as const;
  return others
    .filter((name) => values[name] !== undefined)
    .map((name) => `--${name} does nothing in a dry run`);
}

function problemsOfRelease({ registry, base, source, builder }: Values, tree: Tree): string[] {
  return [
    ...(tree.isDirty ? ['files differ from the commit'] : []),
    ...(registry === undefined ? ['--registry says where the image goes'] : []),
    ...(/@sha256:[0-9a-f]{64}$/.test(base ?? '') ? [] : ['--base is IMAGE@sha256:DIGEST']),
    ...(source === undefined ? ['--source is the address of the repository'] : []),
    ...(builder === undefined ? ['--builder says what builds, as an address'] : []),
  ];
}
