/**
 * A running control plane: a real etcd and kube-apiserver on loopback, their users, and the hooks by which tests
 * disturb and measure them. All of its files are in one directory and all of its processes are guarded, so that it
 * leaves nothing behind when it is stopped or when its owner dies.
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

/** A user, whom the API server identifies by name and groups. RBAC decides what the user may do. */
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
  /** The API server's credentials for etcd. */
  readonly etcdCredentials: Credentials;
  /** Set if the start options asked for it. */
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

  /** The requests that the API server has answered since its last start, by verb and resource. */
  requestCounts(): Promise<RequestCounts> {
    return requestCounts(this.admin);
  }

  /** The audit log since then, oldest first. Rejects if the start options did not ask for a log. */
  async audited(sinceMs = 0): Promise<AuditEntry[]> {
    if (this.auditLog === undefined) throw new Error('this control plane keeps no audit log');
    const entries: AuditEntry[] = [];
    for await (const entry of readEntries(this.auditLog)) {
      if (Date.parse(entry.requestReceivedTimestamp) >= sinceMs) entries.push(entry);
    }
    return entries;
  }

  /** The CPU seconds that the API server has used since its last start. */
  async cpuSeconds(): Promise<number> {
    return (await processUsage(this.apiServer.pid ?? 0)).cpuSeconds;
  }

  /** The newest resourceVersion, without a request to the API server. */
  etcdRevision(): Promise<number> {
    return currentRevision(this.etcdCredentials);
  }

  /**
   * Makes etcd forget old revisions now. Without the watch cache, older list pages and watches get 410 immediately;
   * with it, pages do within 15 seconds, and watches after a restart of the API server.
   */
  compactEtcd(): Promise<number> {
    return compactEtcd(this.etcdCredentials);
  }

  /**
   * Empties etcd, so that revisions start at one again. A restarted API server sets up a new cluster, as after a
   * restore from nothing. One that is kept continues as if nothing had happened: it lists what its watch cache
   * remembers, at versions ahead of those of new objects.
   */
  async wipeEtcd({ apiServer }: { apiServer: 'restarted' | 'kept' }): Promise<void> {
    // In an orderly stop, an open watch would delay it for seconds.
    if (apiServer === 'restarted') await this.apiServer.kill();
    await this.etcd.kill();
    await rm(this.#parts.layout.etcdData, { recursive: true, force: true });
    await this.etcd.start();
    if (apiServer === 'restarted') await this.apiServer.start();
  }

  /** Backs up the state of etcd. The API server waits during the copy. */
  async backUpEtcd(): Promise<void> {
    const { etcdData, etcdBackup } = this.#parts.layout;
    await this.etcd.stop();
    await rm(etcdBackup, { recursive: true, force: true });
    await cp(etcdData, etcdBackup, { recursive: true });
    await this.etcd.start();
  }

  /**
   * Restores the last backup, as after a disaster: later writes are gone, versions go back, and new writes reuse the
   * lost versions.
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
   * Kills both servers, removes the directory, and waits until that is done. An orderly end would save nothing,
   * because the data is removed as well.
   */
  async stop(): Promise<void> {
    await Promise.all([this.etcd.kill(), this.apiServer.kill()]);
    this.#parts.directory.release();
  }
}
