/**
 * Where a control plane keeps its files below its directory. Only these entries are removed from a directory that a
 * person named, so every file has to be below one of them.
 */
import { join } from 'node:path';

const names = {
  /** The administrator's kubeconfig. */
  kubeconfig: 'kubeconfig',
  /** Kubeconfigs of other users. */
  users: 'users',
  certificates: 'certificates',
  etcdData: 'etcd',
  /** What `backUpEtcd` keeps. */
  etcdBackup: 'etcd-backup',
  logs: 'logs',
} as const;

export const entries: readonly string[] = Object.values(names);

export type Layout = Readonly<Record<keyof typeof names, string>>;

export function layoutOf(directory: string): Layout {
  const { kubeconfig, users, certificates, etcdData, etcdBackup, logs } = names;
  return {
    kubeconfig: join(directory, kubeconfig),
    users: join(directory, users),
    certificates: join(directory, certificates),
    etcdData: join(directory, etcdData),
    etcdBackup: join(directory, etcdBackup),
    logs: join(directory, logs),
  };
}
