/**
 * kube-apiserver: its command line and its readiness. It is a real one with RBAC, service-account tokens and both IP
 * families for Services. Features that need missing controllers or a network beyond loopback are off.
 */
import type { PkiFiles } from './certificates/pki.ts';
import { loopback } from './ports.ts';
import { type Credentials, request } from './request.ts';

/** What a caller may choose about the API server. */
export interface ApiServerOptions {
  /** By default, a free port. */
  readonly securePort?: number;
  /** Whether reads are served from memory. On by default, as in clusters. */
  readonly watchCache?: 'on' | 'off';
  /** How long events are kept, such as `5s`; by default an hour. */
  readonly eventTtl?: string;
  /** Whether every request is written to the audit log. Off by default. */
  readonly audit?: 'on' | 'off';
  /** Added at the end of the command line, where they win. */
  readonly extraArgs?: readonly string[];
}

export const serviceRanges = ['10.96.0.0/16', 'fd00:10:96::/112'] as const;

/** The names and addresses by which pods would reach the API server. */
export const inClusterHosts: readonly string[] = [
  '10.96.0.1',
  'fd00:10:96::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

export function apiServerArguments(setting: {
  readonly options: ApiServerOptions;
  readonly port: number;
  readonly etcdPort: number;
  readonly files: PkiFiles;
  /** Where the audit policy is and where the log goes, when there is one. */
  readonly audit: { readonly policyFile: string; readonly logFile: string } | undefined;
}): string[] {
  const { files, options, audit } = setting;
  const issuer = 'https://kubernetes.default.svc';
  return [
    `--bind-address=${loopback}`,
    `--advertise-address=${loopback}`,
    `--secure-port=${setting.port}`,
    `--tls-cert-file=${files.apiCert}`,
    `--tls-private-key-file=${files.apiKey}`,
    `--client-ca-file=${files.apiCa}`,
    `--etcd-servers=https://${loopback}:${setting.etcdPort}`,
    `--etcd-cafile=${files.etcdCa}`,
    `--etcd-certfile=${files.etcdClientCert}`,
    `--etcd-keyfile=${files.etcdClientKey}`,
    '--authorization-mode=RBAC',
    `--service-account-issuer=${issuer}`,
    `--service-account-key-file=${files.serviceAccountKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    `--service-cluster-ip-range=${serviceRanges.join(',')}`,
    '--disable-admission-plugins=ServiceAccount',
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
    '--shutdown-delay-duration=0s',
    ...(options.watchCache === 'off' ? ['--watch-cache=false'] : []),
    ...(options.eventTtl === undefined ? [] : [`--event-ttl=${options.eventTtl}`]),
    ...(audit === undefined
      ? []
      : [
          `--audit-policy-file=${audit.policyFile}`,
          `--audit-log-path=${audit.logFile}`,
          // One file, so that a reader never misses what was rotated away.
          '--audit-log-maxsize=0',
        ]),
    ...(options.extraArgs ?? []),
  ];
}

/** Whether the server reports that it is ready and has created its namespaces, which it does shortly afterwards. */
export async function isApiServerReady(admin: Credentials): Promise<boolean> {
  for (const path of ['/readyz', ...namespaces]) {
    const { status } = await request(admin, { path, deadlineMs: 1_000 });
    if (status !== 200) return false;
  }
  return true;
}

const namespaces = ['default', 'kube-system', 'kube-node-lease'].map(
  (name) => `/api/v1/namespaces/${name}`,
);
