/**
 * etcd: its command line, and requests to its JSON gateway. It has one member on loopback with TLS and client
 * certificates on both ports. It does not sync to disk: test data need not survive a crash of the machine, and a
 * slow disk would slow down every test.
 */
import type { PkiFiles } from './certificates/pki.ts';
import { loopback } from './ports.ts';
import { type Credentials, request, requestOk } from './request.ts';

export function etcdArguments(setting: {
  readonly dataDirectory: string;
  readonly clientPort: number;
  readonly peerPort: number;
  readonly files: PkiFiles;
}): string[] {
  const { files } = setting;
  const client = `https://${loopback}:${setting.clientPort}`;
  const peer = `https://${loopback}:${setting.peerPort}`;
  return [
    '--name=tandem',
    `--data-dir=${setting.dataDirectory}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=tandem=${peer}`,
    `--cert-file=${files.etcdCert}`,
    `--key-file=${files.etcdKey}`,
    `--trusted-ca-file=${files.etcdCa}`,
    '--client-cert-auth',
    `--peer-cert-file=${files.etcdCert}`,
    `--peer-key-file=${files.etcdKey}`,
    `--peer-trusted-ca-file=${files.etcdCa}`,
    '--peer-client-cert-auth',
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

export async function isEtcdReady(etcd: Credentials): Promise<boolean> {
  const { status } = await request(etcd, { path: '/health', deadlineMs: 1_000 });
  return status === 200;
}

/**
 * Forgets every revision but the newest, as the API server has etcd do every five minutes, and writes the key by
 * which API servers learn of it. Returns the revision that is now the oldest.
 */
export async function compactEtcd(etcd: Credentials): Promise<number> {
  const revision = await currentRevision(etcd);
  await call(etcd, '/v3/kv/put', { key: base64(compactionNote), value: base64(String(revision)) });
  await call(etcd, '/v3/kv/compaction', { revision, physical: true });
  return revision;
}

/** The key that kube-apiserver's watch cache follows to drop its own snapshots. */
const compactionNote = 'compact_rev_key';

/** The revision of the newest write to any key, which is the newest resourceVersion. */
export async function currentRevision(etcd: Credentials): Promise<number> {
  const answer = await call(etcd, '/v3/kv/range', { key: base64('/'), count_only: true });
  const found: { header: { revision: string } } = JSON.parse(answer);
  return Number(found.header.revision);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

async function call(etcd: Credentials, path: string, body: unknown): Promise<string> {
  return (await requestOk(etcd, { method: 'POST', path, body })).text;
}
