/** The lab in which the example takes the exam: the provider on a fake of Acme's API. */
import type { Lab } from '@tandem/provider/exam';
import type { Instance } from '@tandem/provider/plug';
import { virtualClock } from '@tandem/runtime/testing';
import type { Machine } from './acme-api.ts';
import { FakeAcme } from './fake-acme.ts';
import { acmeProvider } from './provider.ts';

export async function openAcmeLab(): Promise<Lab> {
  const clock = virtualClock();
  const acme = new FakeAcme();
  const put = async (name: string, changes: Partial<Machine>): Promise<Instance> => {
    const machine = acme.put(name, changes);
    await clock.advance(1);
    return instanceOf(machine);
  };
  return {
    provider: acmeProvider(acme, { clock, clusterName: 'exam' }),
    clock,
    otherSpellings: (providerID) => [providerID.replace('m-', 'M-')],
    unusedProviderID: 'acme://m-none',
    unmanagedLabels: { 'acme.example/unmanaged': 'true' },
    async awaitNotices() {
      await clock.advance(1);
    },
    create: ({ name, addresses, podBlocks }) =>
      put(name, { ips: addresses.map(textOf), ...(podBlocks && { podRanges: podBlocks }) }),
    readdress: (name, addresses) => put(name, { ips: addresses.map(textOf) }),
    stop: (name) => put(name, { power: 'off' }),
    remove: async (name) => acme.scrap(name),
    async breakCloud() {
      acme.outage = Object.assign(new Error('503 from Acme'), { code: 'AcmeUnavailable' });
      return async () => {
        acme.outage = undefined;
      };
    },
    async revokeAccess() {
      acme.tokenIsValid = false;
      return async () => {
        acme.tokenIsValid = true;
      };
    },
    routes: {
      writes: () => acme.changes,
      addForeign: async (_table, destination) => acme.addGateway(destination),
      async fillTable() {
        acme.routesMax = 0;
        return 'acme';
      },
    },
    waitFor: (work) => work,
    async close() {},
  };
}

/** What the provider is to make of a machine. */
function instanceOf({ id, hostname, ips, podRanges, power }: Machine): Instance {
  return {
    providerID: `acme://${id}`,
    addresses: [
      ...ips.map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: hostname },
    ],
    instanceType: 'xl',
    zone: 'north',
    state: power === 'on' ? 'running' : 'stopped',
    labels: {},
    podBlocks: podRanges,
  };
}

function textOf({ address }: { readonly address: string }): string {
  return address;
}
