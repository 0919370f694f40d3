/** The lab in which the example takes the exam: the provider on a fake of Acme's API. */
import type { Lab } from '@tandem/provider/exam';
import type { Instance } from '@tandem/provider/plug';
import type { AcmeApi, Machine } from './acme-api.ts';
import { acmeProvider } from './provider.ts';

export async function openAcmeLab(): Promise<Lab> {
  const machines = new Map<string, Machine>();
  let outage: Error | undefined;
  let refusal: Error | undefined;
  const api: AcmeApi = {
    async machines({ ids, hostnames }, signal) {
      signal.throwIfAborted();
      if (outage !== undefined) throw outage;
      return [...machines.values()].filter(
        ({ id, hostname }) => ids.includes(id) || hostnames.includes(hostname),
      );
    },
    async rights(signal) {
      signal.throwIfAborted();
      const failure = outage ?? refusal;
      if (failure !== undefined) throw failure;
      return ['machines:read'];
    },
  };
  const put = async (name: string, changes: Partial<Machine>): Promise<Instance> => {
    const id = `m-${machines.size}`;
    const blank = { id, hostname: name, ips: [], size: 'xl', site: 'north', power: 'on' } as const;
    const machine: Machine = { ...blank, ...machines.get(name), ...changes };
    machines.set(name, machine);
    return {
      providerID: `acme://${machine.id}`,
      addresses: [
        ...machine.ips.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: name },
      ],
      instanceType: 'xl',
      zone: 'north',
      state: machine.power === 'on' ? 'running' : 'stopped',
      labels: {},
      podCIDRs: [],
    };
  };
  return {
    provider: acmeProvider(api),
    unusedProviderID: 'acme://m-none',
    create: ({ name, addresses }) => put(name, { ips: addresses.map(textOf) }),
    readdress: (name, addresses) => put(name, { ips: addresses.map(textOf) }),
    stop: (name) => put(name, { power: 'off' }),
    async remove(name) {
      machines.delete(name);
    },
    async breakCloud() {
      outage = Object.assign(new Error('503 from Acme'), { code: 'AcmeUnavailable' });
      return async () => {
        outage = undefined;
      };
    },
    async revokeAccess() {
      refusal = Object.assign(new Error('401 from Acme'), { code: 'AcmeUnauthorized' });
      return async () => {
        refusal = undefined;
      };
    },
    waitFor: (work) => work,
    async close() {},
  };
}

function textOf({ address }: { readonly address: string }): string {
  return address;
}
