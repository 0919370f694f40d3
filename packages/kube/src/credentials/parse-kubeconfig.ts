/**
 * One kubeconfig file as its lists of clusters, users and contexts. `KubeConfig` of `@kubernetes/client-node`
 * reads the entries, one at a time, so that an error names its entry. Fields that the library does not read
 * stay available as raw fields. The module is loaded only if there is a kubeconfig, because the library
 * loads every model of the API into memory.
 */
import { type Cluster, type Context, KubeConfig, type User } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { CredentialsError } from './credentials.ts';
import { field, type Fields, type FieldPath, fieldPathIn } from './fields.ts';

/** An entry, its raw fields, and its file. */
export interface Entry<T> {
  readonly value: T;
  readonly fields: Fields;
  readonly path: FieldPath;
  readonly file: string;
}

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Entry<Cluster>>;
  readonly users: ReadonlyMap<string, Entry<User>>;
  readonly contexts: ReadonlyMap<string, Entry<Context>>;
  readonly currentContext: string | undefined;
}

export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const path = fieldPathIn(file);
  const config = field.map(parseYaml(text, file), path);
  checkKind(config['kind'], file);
  return {
    clusters: readEntries(config, 'clusters', file),
    users: readEntries(config, 'users', file),
    contexts: readEntries(config, 'contexts', file),
    currentContext: field.text(config['current-context'], path.at('current-context')),
  };
}

/** A file without a kind is valid, as in client-go. */
function checkKind(kind: unknown, file: string): void {
  if (kind === undefined || kind === null || kind === 'Config') return;
  throw new CredentialsError('KubeconfigInvalid', {
    problem: `${file} is not a kubeconfig: its kind is ${JSON.stringify(kind)}.`,
    fix: 'Name a kubeconfig, whose kind is "Config".',
  });
}

/** Merges files as client-go does: the first value wins. The library refuses duplicate names. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const lastToFirst = configs.toReversed();
  return {
    clusters: new Map(lastToFirst.flatMap(({ clusters }) => [...clusters])),
    users: new Map(lastToFirst.flatMap(({ users }) => [...users])),
    contexts: new Map(lastToFirst.flatMap(({ contexts }) => [...contexts])),
    currentContext: configs.find((config) => config.currentContext !== undefined)?.currentContext,
  };
}

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text, { merge: true });
  } catch (err) {
    // The first line of the message has the problem and its position. The rest quotes the file, which
    // contains secrets, so the error is not passed on as a cause either.
    const [what = ''] = err instanceof Error ? err.message.split('\n') : [];
    throw new CredentialsError('KubeconfigInvalid', {
      problem: `The kubeconfig ${file} is not valid YAML: ${what.replace(/:$/, '.')}`,
      fix: 'Fix the file, or create it again.',
    });
  }
}

/** The library's types of the entries. */
interface Lists {
  readonly clusters: Cluster;
  readonly users: User;
  readonly contexts: Context;
}

const inner = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

function readEntries<List extends keyof Lists>(
  config: Fields,
  list: List,
  file: string,
): ReadonlyMap<string, Entry<Lists[List]>> {
  const entries = new Map<string, Entry<Lists[List]>>();
  for (const [index, raw] of field.list(config[list], fieldPathIn(file, list)).entries()) {
    const entry = readEntry(raw, { list, index, file });
    // Of two entries with one name the first counts, as between files.
    if (!entries.has(entry.value.name)) entries.set(entry.value.name, entry);
  }
  return entries;
}

function readEntry<List extends keyof Lists>(
  raw: unknown,
  { list, index, file }: { readonly list: List; readonly index: number; readonly file: string },
): Entry<Lists[List]> {
  const at = fieldPathIn(file, `${list}[${index}]`);
  const outer = field.map(raw, at);
  const name = field.text(outer['name'], at.at('name'));
  const fields = field.map(outer[inner[list]], at.at(inner[list]));
  checkServer(fields, at.at(inner[list]));
  try {
    const [value] = readWithLibrary(list, raw);
    if (value !== undefined)
      return { value, fields, path: fieldPathIn(file, `${list}["${name}"]`), file };
  } catch (err) {
    throw unreadable(err, { at, index, list });
  }
  throw unreadable(undefined, { at, index, list });
}

/** The library reads YAML, and JSON is YAML. */
function readWithLibrary<List extends keyof Lists>(
  list: List,
  raw: unknown,
): readonly Lists[List][] {
  const config = new KubeConfig();
  config.loadFromString(JSON.stringify({ [list]: [raw] }));
  const lists: { readonly [L in keyof Lists]: readonly Lists[L][] } = config;
  return lists[list];
}

/** The library assumes that an address is a string. */
function checkServer(fields: Fields, path: FieldPath): void {
  field.text(fields['server'], path.at('server'));
}

function unreadable(
  err: unknown,
  { at, index, list }: { at: FieldPath; index: number; list: string },
): CredentialsError {
  // The library got a single entry, so its message always names index 0.
  const words = err instanceof Error ? err.message.replace(`${list}[0]`, `${list}[${index}]`) : '';
  return new CredentialsError('KubeconfigInvalid', {
    problem: `${at.text} is invalid: ${words}.`,
    fix: 'Compare it with the output of `kubectl config view`.',
    cause: err,
  });
}
