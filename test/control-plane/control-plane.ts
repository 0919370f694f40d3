/**
 * A running control plane: a real etcd and kube-apiserver on loopback, their users, and the hooks by
 * which tests disturb and measure them. Everything it made lies in one directory and everything it
 * runs is guarded, so that stopping it, or losing the process that owns it, leaves nothing behind.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Authority } from '@tandem/serving/certificates';
import { processUsage } from '../support/process-usage.ts';
import { type AuditEntry, type AuditLog, readEntries } from './audit-log.ts';
import type { ClaimedDirectory } from './directory.ts';
import type { ControlPlaneError } from './errors.ts';
import { compactEtcd, currentRevision } from './etcd.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { Layout } from './layout.ts';
import type { Credentials } from './request.ts';
import { type RequestCounts, requestCounts } from './server-metrics.ts';
import type { Server } from './server.ts';

/** A user whom the API server knows by name and groups; RBAC says what they may do. */
export interface User {
  readonly user: string;
  readonly groups?: readonly string[];
}

/** The parts that a control plane is put together from. */
interface Parts {
  readonly directory: ClaimedDirectory;
  readonly layout: Layout;
  readonly authority: Authority;
  readonly admin: Credentials;
  readonly etcdCredentials: Credentials;
  readonly etcd: Server;
  readonly apiServer: Server;
  readonly auditLog: AuditLog | undefined;
}

export class ControlPlane {
  readonly directory: string;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** The administrator: a member of `system:masters`, who may do everything. */
  readonly admin: Credentials;
  /** Start, stop, restart, pause, resume and kill it here; it keeps its port. */
  readonly apiServer: Server;
  readonly etcd: Server;
  /** What the API server has to reach etcd with. */
  readonly etcdCredentials: Credentials;
  /** There when it was asked for. */
  readonly auditLog: AuditLog | undefined;
  readonly #parts: Parts;
  #userCount = 0;

  constructor(parts: Parts) {
    this.directory = parts.directory.path;
    this.kubeconfig = parts.layout.kubeconfig;
    this.admin = parts.admin;
    this.apiServer = parts.apiServer;
    this.etcd = parts.etcd;
    this.etcdCredentials = parts.etcdCredentials;
    this.auditLog = parts.auditLog;
    this.#parts = parts;
  }

  /** Credentials of any user, for a client in this process. */
  credentialsFor({ user, groups = [] }: User): Credentials {
    const { authority, admin } = this.#parts;
    const pair = authority.issue({
      commonName: user,
      organizations: groups,
      uses: ['clientAuth'],
    });
    return { server: admin.server, ca: admin.ca, ...pair };
  }

  /** The path of a new kubeconfig of any user, for another program. */
  async kubeconfigFor(user: User): Promise<string> {
    this.#userCount += 1;
    const path = join(this.#parts.layout.users, `${this.#userCount}.kubeconfig`);
    await writeKubeconfig(path, user.user, this.credentialsFor(user));
    return path;
  }

  /** Requests that the API server has answered since it was last started, by verb and resource. */
  requestCounts(): Promise<RequestCounts> {
    return requestCounts(this.admin);
  }

  /** What the audit log has so far of requests since then, oldest first. Rejects where no log was asked for. */
  async audited(sinceMs = 0): Promise<AuditEntry[]> {
    if (this.auditLog === undefined) throw new Error('this control plane keeps no audit log');
    const entries: AuditEntry[] = [];
    for await (const entry of readEntries(this.auditLog)) {
      if (Date.parse(entry.requestReceivedTimestamp) >= sinceMs) entries.push(entry);
    }
    return entries;
  }

  /** CPU seconds that the API server has used since it was last started. */
  async cpuSeconds(): Promise<number> {
    return (await processUsage(this.apiServer.pid ?? 0)).cpuSeconds;
  }

  /** The newest resourceVersion there is, without a question to the API server. */
  etcdRevision(): Promise<number> {
    return currentRevision(this.etcdCredentials);
  }

  /**
   * Makes etcd forget old revisions now. Without the watch cache, older list pages and watches get 410
   * at once; with it, pages do within 15 seconds, and watches once the API server was restarted.
   */
  compactEtcd(): Promise<number> {
    return compactEtcd(this.etcdCredentials);
  }

  /**
   * Empties etcd, so that revisions begin again at one. A restarted API server sets up a new cluster
   * in it, as after a restore from nothing. One that is kept goes on as if nothing had happened: it
   * lists what its watch cache remembers, at versions ahead of those that it gives to new objects.
   */
  async wipeEtcd({ apiServer }: { apiServer: 'restarted' | 'kept' }): Promise<void> {
    // In good order, a watch that is open would hold it for seconds.
    if (apiServer === 'restarted') await this.apiServer.kill();
    await this.etcd.kill();
    await rm(this.#parts.layout.etcdData, { recursive: true, force: true });
    await this.etcd.start();
    if (apiServer === 'restarted') await this.apiServer.start();
  }

  /** Keeps what etcd holds now, to be put back later. The API server waits while that is copied. */
  async backUpEtcd(): Promise<void> {
    const { etcdData, etcdBackup } = this.#parts.layout;
    await this.etcd.stop();
    await rm(etcdBackup, { recursive: true, force: true });
    await cp(etcdData, etcdBackup, { recursive: true });
    await this.etcd.start();
  }

  /**
   * Puts the last back-up back, as after a disaster: what was written since is gone, versions go back,
   * and the next writes use the lost ones again for other things.
   */
  async restoreEtcd(): Promise<void> {
    const { etcdData, etcdBackup } = this.#parts.layout;
    await this.apiServer.kill();
    await this.etcd.kill();
    await rm(etcdData, { recursive: true, force: true });
    await cp(etcdBackup, etcdData, { recursive: true });
    await this.etcd.start();
    await this.apiServer.start();
  }

  /** Resolves when one of the servers has ended by itself; holds the event loop until then. */
  failure(): Promise<ControlPlaneError> {
    return Promise.race([this.etcd.failure(), this.apiServer.failure()]);
  }

  /**
   * Ends both servers and removes the directory, and waits until that is done. They are killed: their
   * data goes with them, so that there is nothing for a slower end to save.
   */
  async stop(): Promise<void> {
    await Promise.all([this.etcd.kill(), this.apiServer.kill()]);
    this.#parts.directory.release();
  }
}
