/** A directory for the kubeconfigs, tokens and plug-ins of one test, removed with the test. */
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

export interface Files extends AsyncDisposable {
  path(name: string): string;
  /** Writes or replaces the file atomically, as the kubelet does when a token rotates. */
  write(name: string, text: string, mode?: number): Promise<string>;
  /** Writes an executable shell script. */
  script(name: string, ...lines: string[]): Promise<string>;
  read(name: string): Promise<string>;
}

export async function createFiles(): Promise<Files> {
  const directory = await mkdtemp(join(tmpdir(), 'tandem-client-'));
  const path = (name: string): string => join(directory, name);
  const write = async (name: string, text: string, mode = 0o600): Promise<string> => {
    await writeFile(path(`${name}.new`), text, { mode });
    await rename(path(`${name}.new`), path(name));
    return path(name);
  };
  return {
    path,
    write,
    script: (name, ...lines) => write(name, ['#!/bin/sh', ...lines, ''].join('\n'), 0o700),
    read: (name) => readFile(path(name), 'utf8'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A kubeconfig of one cluster, one user and one context. */
export function aKubeconfig(cluster: object, user: object): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
