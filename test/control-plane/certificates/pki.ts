/**
 * All keys and certificates of one control plane, and the files in which the servers find them. etcd has an authority
 * of its own: with a shared one, any user of the API could read and write etcd.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Authority, KeyPair } from '@tandem/serving/certificates';
import { loopback } from '../ports.ts';
import { createAuthority } from './authority.ts';

interface Pki {
  /** Signs the API server's certificate and those of its clients. */
  readonly authority: Authority;
  readonly etcd: { readonly ca: string; readonly client: KeyPair };
  readonly files: PkiFiles;
}

/** Paths of PEM files. */
export interface PkiFiles {
  readonly apiCa: string;
  readonly apiCert: string;
  readonly apiKey: string;
  readonly serviceAccountKey: string;
  readonly etcdCa: string;
  readonly etcdCert: string;
  readonly etcdKey: string;
  readonly etcdClientCert: string;
  readonly etcdClientKey: string;
}

export async function createPki(setting: {
  readonly directory: string;
  readonly nowMs: number;
  /** Further names and addresses of the API server, besides loopback. */
  readonly apiServerHosts: readonly string[];
}): Promise<Pki> {
  const authority = createAuthority('tandem test control plane', setting.nowMs);
  const etcdAuthority = createAuthority('tandem test etcd', setting.nowMs);
  const local = [loopback, 'localhost'];
  const api = authority.issue({
    commonName: 'kube-apiserver',
    hosts: [...local, ...setting.apiServerHosts],
    uses: ['serverAuth'],
  });
  const etcd = etcdAuthority.issue({
    commonName: 'etcd',
    hosts: local,
    // etcd is its own client: its JSON gateway dials its gRPC port with this certificate.
    uses: ['serverAuth', 'clientAuth'],
  });
  const client = etcdAuthority.issue({ commonName: 'kube-apiserver', uses: ['clientAuth'] });
  // The API server also reads the public key from this file, which works only in the SEC 1 form.
  const serviceAccounts = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  await mkdir(setting.directory, { mode: 0o700 });
  const write = async (name: string, pem: string): Promise<string> => {
    const path = join(setting.directory, name);
    await writeFile(path, pem, { mode: 0o600 });
    return path;
  };
  return {
    authority,
    etcd: { ca: etcdAuthority.cert, client },
    files: {
      apiCa: await write('ca.crt', authority.cert),
      apiCert: await write('kube-apiserver.crt', api.cert),
      apiKey: await write('kube-apiserver.key', api.key),
      serviceAccountKey: await write(
        'service-accounts.key',
        serviceAccounts.export({ type: 'sec1', format: 'pem' }).toString(),
      ),
      etcdCa: await write('etcd-ca.crt', etcdAuthority.cert),
      etcdCert: await write('etcd.crt', etcd.cert),
      etcdKey: await write('etcd.key', etcd.key),
      etcdClientCert: await write('etcd-client.crt', client.cert),
      etcdClientKey: await write('etcd-client.key', client.key),
    },
  };
}
