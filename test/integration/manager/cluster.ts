/** What scenarios need of a cluster, whichever API server it has: the real one or the embedded one. */
import type { AuditLog, ControlPlane, Credentials, Server } from '../../control-plane/index.ts';
import type { EmbeddedControlPlane } from './embedded-control-plane.ts';

export interface Cluster {
  /** For files that go when it does. */
  readonly directory: string;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Who may do everything. */
  readonly admin: Credentials;
  /** Takes the API server away and brings it back, on its port and with what it had stored. */
  readonly apiServer: Pick<Server, 'start' | 'stop' | 'pause' | 'resume'>;
  /** Who asked for what. */
  readonly auditLog: Pick<AuditLog, 'entries'> | undefined;
  stop(): Promise<void>;
}

/** The API servers that every scenario runs on, as test titles name them. */
export const servers = ['embedded API server', 'real API server'] as const;
export type ServerName = (typeof servers)[number];

export interface Clusters extends Record<ServerName, Cluster> {
  readonly 'embedded API server': EmbeddedControlPlane;
  readonly 'real API server': ControlPlane;
}
