/**
 * The clients of the API server. Reading is never held up by writing; writing is fenced by the
 * election, so that nothing goes out after the Lease was lost, and closed for good in a dry run.
 */
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import type { Elector } from '@tandem/kube/election';
import { CcmError } from '@tandem/runtime';
import type { ManagerSettings } from '../settings/index.ts';
import type { AppPorts } from './app.ts';

export interface Clients {
  /** For the caches. */
  readonly reading: KubeClient;
  /** For the controllers and their events. */
  readonly writing: KubeClient;
}

export function createClients(
  ports: AppPorts,
  { api, dryRun }: ManagerSettings,
  elector?: Pick<Elector, 'writeGate' | 'writeLimitMs'>,
): Clients {
  const reading = createKubeClient({ ...ports });
  const rate = api.rate === undefined ? {} : { rate: api.rate };
  if (dryRun) {
    return { reading, writing: createKubeClient({ ...ports, ...rate, writeGate: refuseInDryRun }) };
  }
  if (elector === undefined) return { reading, writing: createKubeClient({ ...ports, ...rate }) };
  const { writeGate, writeLimitMs } = elector;
  const fenced = { ...ports, ...rate, writeGate, writeLimitMsMax: writeLimitMs };
  return { reading, writing: createKubeClient(fenced) };
}

/** The controllers do not write in a dry run; this is what holds if one of them has a mistake. */
function refuseInDryRun(): Error {
  return new CcmError('A dry run writes nothing', {
    code: 'DryRun',
    retry: 'never',
    effect: 'none',
  });
}
