/**
 * The clients with which controllers write. The election fences them, so that they send nothing after the Lease was
 * lost, and in a dry run they send nothing at all. The cache and the election have their own clients, which never wait
 * for a write.
 */
import assert from 'node:assert/strict';
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import type { Elector } from '@tandem/kube/election';
import type { KubeTransport } from '@tandem/kube/transport';
import { CcmError } from '@tandem/runtime';
import type { ManagerSettings } from '../settings/index.ts';
import type { AppPorts } from './app.ts';

/** Returns the client of a service account, or the manager's for all. Controllers and their events use it. */
export type WritingClients = (serviceAccount: string) => KubeClient;

export function createWritingClients(
  ports: AppPorts,
  settings: ManagerSettings,
  elector: WriteFence | undefined,
): WritingClients {
  const { transport: manager, accountTransports } = ports;
  if (accountTransports === undefined) {
    const client = createWritingClient(ports, settings, elector);
    return () => client;
  }
  const clients = new Map(
    Array.from(accountTransports, ([account, controllers]) => {
      const transport = leaseAsManager({ manager, controllers });
      return [account, createWritingClient({ ...ports, transport }, settings, elector)];
    }),
  );
  return (account) => {
    const client = clients.get(account);
    assert(client !== undefined, `the service account ${account} has no transport`);
    return client;
  };
}

type WriteFence = Pick<Elector, 'writeGate' | 'writeLimitMs' | 'writeTimeoutMs'>;

function createWritingClient(
  ports: AppPorts,
  { api, dryRun }: ManagerSettings,
  elector: WriteFence | undefined,
): KubeClient {
  const options = { ...ports, ...(api.rate === undefined ? {} : { rate: api.rate }) };
  if (dryRun) return createKubeClient({ ...options, writeGate: refuseInDryRun });
  if (elector === undefined) return createKubeClient(options);
  const { writeGate, writeLimitMs: writeLimitMsMax, writeTimeoutMs } = elector;
  return createKubeClient({ ...options, writeGate, writeLimitMsMax, writeTimeoutMs });
}

/** Returns the error of a write in a dry run. Controllers attempt none, so this guards against a mistake in one. */
export function refuseInDryRun(): CcmError {
  return new CcmError('A dry run writes nothing', {
    code: 'DryRun',
    retry: 'never',
    effect: 'none',
  });
}

const leases = '/apis/coordination.k8s.io/';

/**
 * Returns the transport of controllers with their own identity. It uses that identity for everything but the Lease,
 * which belongs to the manager. The deletion brake's notes on the Lease pass the write gate of the controllers' client
 * like any other write, and are sent as the manager.
 */
export function leaseAsManager(connections: {
  readonly manager: KubeTransport;
  readonly controllers: KubeTransport;
}): KubeTransport {
  const { manager, controllers } = connections;
  return {
    send: (request) => (request.path.startsWith(leases) ? manager : controllers).send(request),
    close: () => controllers.close(),
  };
}
