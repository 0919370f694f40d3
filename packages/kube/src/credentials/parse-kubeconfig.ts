/**
 * One kubeconfig file as its lists of clusters, users and contexts. The lists are read by
 * `@kubernetes/client-node`, of which only this small module is loaded: the rest of it would bring
 * every model of the API into memory. What the library does not read stays reachable as raw fields.
 */
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';
import { parse } from 'yaml';
import { CredentialsError } from './credentials.ts';
import { field, type Fields, type Place, placeIn } from './fields.ts';

/** An entry, the fields that it was made from, and the file that it stands in. */
export interface Entry<T> {
  readonly value: T;
  readonly fields: Fields;
  readonly place: Place;
  readonly file: string;
}

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Entry<Cluster>>;
  readonly users: ReadonlyMap<string, Entry<User>>;
  readonly contexts: ReadonlyMap<string, Entry<Context>>;
  readonly currentContext: string | undefined;
}

export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const place = placeIn(file);
  const config = field.map(parseYaml(text, file), place);
  checkKind(config['kind'], file);
  const entries = <T extends { readonly name: string }>(
    list: 'clusters' | 'users' | 'contexts',
    read: (raw: readonly unknown[]) => T[],
  ): ReadonlyMap<string, Entry<T>> => readEntries(config[list], { list, file, read });
  return {
    clusters: entries('clusters', (raw) => newClusters(raw)),
    users: entries('users', (raw) => newUsers(raw)),
    contexts: entries('contexts', (raw) => newContexts(raw)),
    currentContext: field.text(config['current-context'], place.at('current-context')),
  };
}

/** A file without a kind is taken, as client-go takes it. */
function checkKind(kind: unknown, file: string): void {
  if (kind === undefined || kind === null || kind === 'Config') return;
  throw new CredentialsError('KubeconfigInvalid', {
    problem: `${file} is not a kubeconfig: its kind is ${JSON.stringify(kind)}.`,
    fix: 'Name a kubeconfig, whose kind is "Config".',
  });
}

/** Several files as one: as in client-go, the first that says something wins. */
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
    return parse(text);
  } catch (err) {
    // The parser's first line says what and where. The rest quotes the file, which has secrets, and
    // so the error itself goes no further either.
    const [what = ''] = err instanceof Error ? err.message.split('\n') : [];
    throw new CredentialsError('KubeconfigInvalid', {
      problem: `The kubeconfig ${file} is not valid YAML: ${what.replace(/:$/, '.')}`,
      fix: 'Fix the file, or create it again.',
    });
  }
}

const inner = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

function readEntries<T extends { readonly name: string }>(
  value: unknown,
  { list, file, read }: { list: keyof typeof inner; file: string; read: (raw: unknown[]) => T[] },
): ReadonlyMap<string, Entry<T>> {
  const entries = new Map<string, Entry<T>>();
  for (const [index, raw] of field.list(value, placeIn(file, list)).entries()) {
    const entry = readEntry(raw, { list, index, file, read });
    // Of two entries with one name the first counts, as between files.
    if (!entries.has(entry.value.name)) entries.set(entry.value.name, entry);
  }
  return entries;
}

function readEntry<T extends { readonly name: string }>(
  raw: unknown,
  context: {
    list: keyof typeof inner;
    index: number;
    file: string;
    read: (raw: unknown[]) => T[];
  },
): Entry<T> {
  const { list, index, file, read } = context;
  const at = placeIn(file, `${list}[${index}]`);
  const outer = field.map(raw, at);
  const name = field.text(outer['name'], at.at('name'));
  const fields = field.map(outer[inner[list]], at.at(inner[list]));
  checkServer(fields, at.at(inner[list]));
  try {
    const [value] = read([raw]);
    if (value !== undefined)
      return { value, fields, place: placeIn(file, `${list}["${name}"]`), file };
  } catch (err) {
    throw unreadable(err, { at, index, list });
  }
  throw unreadable(undefined, { at, index, list });
}

/** The library takes it for granted that an address is a text. */
function checkServer(fields: Fields, place: Place): void {
  field.text(fields['server'], place.at('server'));
}

function unreadable(
  err: unknown,
  { at, index, list }: { at: Place; index: number; list: string },
): CredentialsError {
  // The library counts within what it was given, which is one entry.
  const words = err instanceof Error ? err.message.replace(`${list}[0]`, `${list}[${index}]`) : '';
  return new CredentialsError('KubeconfigInvalid', {
    problem: `${at.text} is invalid: ${words}.`,
    fix: 'Compare it with the output of `kubectl config view`.',
    cause: err,
  });
}
