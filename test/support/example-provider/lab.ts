/** The lab in which the example takes the exam: the provider on a fake of Acme's API. */
import type { Lab } from '@tandem/provider/exam';
import type { Instance } from '@tandem/provider/plug';
import { virtualClock } from '@tandem/runtime';
import type { AcmeApi, Machine } from './acme-api.ts';
import { acmeProvider } from './provider.ts';

export async function openAcmeLab(): Promise<Lab> {
  const clock = virtualClock();
  const machines = new Map<string, Machine>();
  const followers = new Set<(ids: readonly string[]) => void>();
  const tell = (id: string): void => followers.forEach((onChange) => onChange([id]));
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
    follow(onChange, signal) {
      followers.add(onChange);
      signal.addEventListener('abort', () => followers.delete(onChange), { once: true });
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
    const blank = { id, hostname: name, ips: [], podRanges: [] } as const;
    const usual = { size: 'xl', site: 'north', power: 'on' } as const;
    const machine: Machine = { ...blank, ...usual, ...machines.get(name), ...changes };
    machines.set(name, machine);
    tell(machine.id);
    await clock.advance(1);
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
      podBlocks: {
        IPv4: machine.podRanges.filter((range) => range.includes('.')),
        IPv6: machine.podRanges.filter((range) => range.includes(':')),
      },
    };
  };
  return {
    provider: acmeProvider(api, clock),
    clock,
    otherSpellings: (providerID) => [providerID.replace('m-', 'M-')],
    unusedProviderID: 'acme://m-none',
    unmanagedLabels: { 'acme.example/unmanaged': 'true' },
    async awaitNotices() {
      await clock.advance(1);
    },
    create({ name, addresses, podBlocks }) {
      const podRanges = [...(podBlocks?.IPv6 ?? []), ...(podBlocks?.IPv4 ?? [])];
      return put(name, { ips: addresses.map(textOf), podRanges });
    },
    readdress: (name, addresses) => put(name, { ips: addresses.map(textOf) }),
    stop: (name) => put(name, { power: 'off' }),
    async remove(name) {
      const id = machines.get(name)?.id;
      machines.delete(name);
      if (id !== undefined) tell(id);
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
