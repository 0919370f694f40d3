/**
 * Starting a control plane: programs, a directory, certificates, etcd, kube-apiserver,
 * in this order. It ends with a control plane that is ready, or with one error and nothing left running.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subject } from '@tandem/serving/certificates';
import { type Environment, systemClock } from '@tandem/runtime';
import {
  apiServerArguments,
  type ApiServerOptions,
  inClusterHosts,
  isApiServerReady,
} from './api-server.ts';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { findPrograms } from './binaries/find.ts';
import { type Minor, readMinorRecipe } from './binaries/recipe.ts';
import { createPki, type PkiFiles } from './certificates/pki.ts';
import { ControlPlane } from './control-plane.ts';
import { claimDirectory, type ClaimedDirectory } from './directory.ts';
import { ControlPlaneError } from './errors.ts';
import { etcdArguments, isEtcdReady } from './etcd.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { type Layout, layoutOf } from './layout.ts';
import { discardLog } from './log.ts';
import { freePorts, isFree, loopback } from './ports.ts';
import type { Credentials } from './request.ts';
import { Server, type ServerDescription } from './server.ts';

export interface StartOptions extends ApiServerOptions {
  /** An empty or new directory; by default a temporary one is made. */
  readonly directory?: string;
  /** The minor that the servers have to be of; by default those that the machine provides will do. */
  readonly minor?: Minor;
  /** How long each server may take to become ready. */
  readonly readyMsMax?: number;
  readonly environment?: Environment;
}

export async function startControlPlane(options: StartOptions = {}): Promise<ControlPlane> {
  const { environment, minor } = options;
  const search = {
    ...(environment === undefined ? {} : { environment }),
    ...(minor === undefined ? {} : { recipe: readMinorRecipe(minor) }),
  };
  const [etcd = '', apiServer = ''] = await findPrograms(['etcd', 'kube-apiserver'], search);
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts(options.securePort);
    try {
      return await startOnce({ options, programs: { etcd, apiServer }, ports });
    } catch (err) {
      const lostRace = err instanceof ControlPlaneError && (await someTaken(ports));
      if (!lostRace || attempt === attemptsMax) throw err;
      await discardLog(err.logFile);
    }
  }
}

/** Another program may take a port between its choice and its use; three times in a row is not chance. */
const attemptsMax = 3;

/** Ten times what a start takes on two busy cores. */
const readyMsMaxDefault = 60_000;

interface Ports {
  readonly etcdClient: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
}

async function choosePorts(securePort: number | undefined): Promise<Ports> {
  if (securePort !== undefined && !(await isFree(securePort))) throw portTaken(securePort);
  const [etcdClient = 0, etcdPeer = 0, apiServer = 0] = await freePorts(3);
  return { etcdClient, etcdPeer, apiServer: securePort ?? apiServer };
}

async function someTaken(ports: Ports): Promise<boolean> {
  const free = await Promise.all(Object.values(ports).map(isFree));
  return free.includes(false);
}

interface Attempt {
  readonly options: StartOptions;
  readonly programs: { readonly etcd: string; readonly apiServer: string };
  readonly ports: Ports;
}

async function startOnce(attempt: Attempt): Promise<ControlPlane> {
  const directory = claimDirectory(attempt.options.directory);
  const controlPlane = await prepare(directory, attempt).catch((err: unknown) => {
    directory.release();
    throw err;
  });
  try {
    await controlPlane.etcd.start();
    await controlPlane.apiServer.start();
    return controlPlane;
  } catch (err) {
    await controlPlane.stop();
    throw err;
  }
}

/** Writes all files that the servers need. */
async function prepare(directory: ClaimedDirectory, attempt: Attempt): Promise<ControlPlane> {
  const { options, ports } = attempt;
  const layout = layoutOf(directory.path);
  for (const path of [layout.logs, layout.users]) await mkdir(path, { mode: 0o700 });
  const pki = await createPki({
    directory: layout.certificates,
    nowMs: systemClock.now(),
    apiServerHosts: inClusterHosts,
  });
  const site: Site = {
    layout,
    files: pki.files,
    admin: {
      server: `https://${loopback}:${ports.apiServer}`,
      ca: pki.authority.cert,
      ...pki.authority.issue(administrator),
    },
    etcdCredentials: {
      server: `https://${loopback}:${ports.etcdClient}`,
      ca: pki.etcd.ca,
      ...pki.etcd.client,
    },
    auditLog: options.audit === 'on' ? await createAuditLog(layout.logs) : undefined,
  };
  await writeKubeconfig(layout.kubeconfig, administrator.commonName, site.admin);
  const etcd = new Server(describeEtcd(attempt, site));
  const apiServer = new Server(describeApiServer(attempt, site));
  return new ControlPlane({ ...site, directory, authority: pki.authority, etcd, apiServer });
}

const administrator: Subject = {
  commonName: 'admin',
  organizations: ['system:masters'],
  uses: ['clientAuth'],
};

/** What one control plane's servers are told about it. */
interface Site {
  readonly layout: Layout;
  readonly files: PkiFiles;
  readonly admin: Credentials;
  readonly etcdCredentials: Credentials;
  readonly auditLog: AuditLog | undefined;
}

function describeEtcd({ options, programs, ports }: Attempt, site: Site): ServerDescription {
  return {
    name: 'etcd',
    command: [
      programs.etcd,
      ...etcdArguments({
        dataDirectory: site.layout.etcdData,
        clientPort: ports.etcdClient,
        peerPort: ports.etcdPeer,
        files: site.files,
      }),
    ],
    logFile: join(site.layout.logs, 'etcd.log'),
    isReady: () => isEtcdReady(site.etcdCredentials),
    readyMsMax: options.readyMsMax ?? readyMsMaxDefault,
  };
}

function describeApiServer({ options, programs, ports }: Attempt, site: Site): ServerDescription {
  return {
    name: 'kube-apiserver',
    command: [
      programs.apiServer,
      ...apiServerArguments({
        options,
        port: ports.apiServer,
        etcdPort: ports.etcdClient,
        files: site.files,
        audit: site.auditLog,
      }),
    ],
    logFile: join(site.layout.logs, 'kube-apiserver.log'),
    isReady: () => isApiServerReady(site.admin),
    readyMsMax: options.readyMsMax ?? readyMsMaxDefault,
  };
}

function portTaken(port: number): ControlPlaneError {
  return new ControlPlaneError('PortTaken', {
    problem: `Port ${port} of ${loopback} is taken by another program.`,
    fix: 'choose another port, or none and a free one is found.',
  });
}
