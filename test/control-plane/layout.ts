/**
 * Where a control plane keeps its files below its directory. These entries and nothing else
 * are removed from a directory that a person named, so every file has to be below one of them.
 */
import { join } from 'node:path';

export const entries = [
  'kubeconfig',
  'users',
  'certificates',
  'etcd',
  'etcd-backup',
  'logs',
] as const;

export interface Layout {
  /** The administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Kubeconfigs of other users. */
  readonly users: string;
  readonly certificates: string;
  readonly etcdData: string;
  /** What `backUpEtcd` keeps. */
  readonly etcdBackup: string;
  readonly logs: string;
}

export function layoutOf(directory: string): Layout {
  const [kubeconfig, users, certificates, etcdData, etcdBackup, logs] = entries;
  return {
    kubeconfig: join(directory, kubeconfig),
    users: join(directory, users),
    certificates: join(directory, certificates),
    etcdData: join(directory, etcdData),
    etcdBackup: join(directory, etcdBackup),
    logs: join(directory, logs),
  };
}
