/**
 * The clients of the API server. What reads, and what holds the Lease, is never held up by what
 * writes. What writes is fenced by the election, so that nothing goes out after the Lease was lost, and
 * closed for good in a dry run.
 */
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import type { Elector } from '@tandem/kube/election';
import { CcmError } from '@tandem/runtime';
import type { ManagerSettings } from '../settings/index.ts';
import type { AppPorts } from './app.ts';

/** For the caches and for the election itself. */
export function createOpenClient(ports: AppPorts): KubeClient {
  return createKubeClient({ ...ports });
}

/** For the controllers and their events, as whom they are. */
export function createWritingClient(
  ports: AppPorts,
  { api, dryRun }: ManagerSettings,
  elector: Pick<Elector, 'writeGate' | 'writeLimitMs'> | undefined,
): KubeClient {
  const transport = ports.controllerTransport ?? ports.transport;
  const options = { ...ports, transport, ...(api.rate === undefined ? {} : { rate: api.rate }) };
  if (dryRun) return createKubeClient({ ...options, writeGate: refuseInDryRun });
  if (elector === undefined) return createKubeClient(options);
  const { writeGate, writeLimitMs } = elector;
  return createKubeClient({ ...options, writeGate, writeLimitMsMax: writeLimitMs });
}

/** The controllers do not write in a dry run; this is what holds if one of them has a mistake. */
function refuseInDryRun(): Error {
  return new CcmError('A dry run writes nothing', {
    code: 'DryRun',
    retry: 'never',
    effect: 'none',
  });
}
