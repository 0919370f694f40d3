/** Runs the exam with the real SDKs against the fake of Azure: once on virtual machines, once on a scale set. */
import assert from 'node:assert/strict';
import { examine, type Lab } from '@tandem/provider/exam';
import type { Instance } from '@tandem/provider/plug';
import {
  aConfiguration,
  aMachine,
  anInstance,
  anInterface,
  aRoute,
  aScaleSet,
  aTable,
  type FakeInterface,
  instanceIdOf,
  machineId,
  type PowerState,
  subscription,
  tableId,
  withInstance,
  withMachine,
  withoutInstance,
  withoutMachine,
  withScaleSet,
  withTable,
} from '../../../test/support/arm/index.ts';
import { type AzureWorld, openAzureWorld } from './azure.fixture.ts';

describe('exam of the provider for Azure', () => {
  describe('on virtual machines', () => {
    for (const { name, run } of examine(() => openLab('machines'))) it(name, run);
  });
  describe('on a scale set', () => {
    for (const { name, run } of examine(() => openLab('scaleSet'))) it(name, run);
  });
});

interface Computer {
  readonly number: number;
  readonly interfaces: readonly FakeInterface[];
  readonly power: PowerState;
}

const pool = { subscription, resourceGroup: 'blue', name: 'pool' };

async function openLab(kind: 'machines' | 'scaleSet'): Promise<Lab> {
  const world = await openAzureWorld();
  const { azure, provider, clock } = world;
  const { arm, entra } = azure;
  arm.state = withTable(arm.state, aTable());
  arm.state = withScaleSet(arm.state, aScaleSet('pool', { computerNamePrefix: 'exam-' }));
  const known = new Map<string, Computer>();
  const put = async (name: string, changes: Partial<Computer>): Promise<Instance> => {
    const number = known.size + 1;
    const old = known.get(name) ?? { number, interfaces: [anInterface(number)], power: 'running' };
    const computer = { ...old, ...changes };
    known.set(name, computer);
    const answer =
      kind === 'machines' ? putMachine(world, name, computer) : putInstance(world, name, computer);
    await clock.advance(1);
    return answer;
  };
  const networkOf = (addresses: readonly { readonly address: string }[]): Partial<Computer> => ({
    interfaces: [
      anInterface(known.size + 1, {
        configurations: addresses.map(({ address }) => aConfiguration(address)),
      }),
    ],
  });
  return {
    provider,
    clock,
    create: (order) => put(order.name, networkOf(order.addresses)),
    readdress: (name, addresses) => put(name, networkOf(addresses)),
    stop: (name) => put(name, { power: 'deallocated' }),
    async remove(name) {
      const { number } = known.get(name) ?? assert.fail(`no ${name}`);
      arm.state =
        kind === 'machines'
          ? withoutMachine(arm.state, aMachine(number, { name }))
          : withoutInstance(arm.state, pool, String(number));
      await clock.advance(1);
    },
    otherSpellings: (providerID) => [
      providerID.replace(/^azure:\/\/(.*)$/, (_, id: string) => `azure://${id.toUpperCase()}`),
      ...(kind === 'scaleSet' ? [providerID.replace(/(\d+)$/, 'pool_$1')] : []),
    ],
    unmanagedLabels: { 'kubernetes.azure.com/managed': 'false' },
    unusedProviderID: `azure://${machineId(aMachine(99))}`,
    async breakCloud() {
      arm.fault = { kind: 'reset' };
      return async () => {
        arm.fault = undefined;
      };
    },
    async revokeAccess() {
      const { client } = entra;
      entra.client = { ...client, secret: 'another' };
      entra.expireTokens();
      // The provider learns that Azure refuses its token, and requests another one.
      await assert.rejects(Promise.resolve(provider.checkAccess?.(new AbortController())));
      return async () => {
        entra.client = client;
      };
    },
    routes: {
      writes: () => arm.calls.filter((name) => /createOrUpdate|delete/.test(name)).length,
      async addForeign(name, destination) {
        const id = tableId({ ...pool, name }).toLowerCase();
        const table = arm.state.tables.get(id) ?? assert.fail(`no table ${id}`);
        const routes = [...table.routes, aRoute('firewall', destination, '10.0.0.200')];
        arm.state = withTable(arm.state, { ...table, routes });
        await clock.advance(1);
      },
      async fillTable() {
        arm.state = withTable(arm.state, aTable('blue', { routesMax: 0 }));
        return 'blue';
      },
    },
    waitFor: (work) => work,
    close: async () => world[Symbol.asyncDispose](),
  };
}

function putMachine({ azure }: AzureWorld, name: string, computer: Computer): Instance {
  const { number, interfaces, power } = computer;
  const machine = aMachine(number, { name, computerName: name, interfaces, power });
  azure.arm.state = withMachine(azure.arm.state, machine);
  return reportOf(`azure://${machineId(machine)}`, name, computer, '0');
}

function putInstance({ azure }: AzureWorld, name: string, computer: Computer): Instance {
  const { number, interfaces, power } = computer;
  const changes = { computerName: name, interfaces, power, zones: ['1'] };
  const instance = anInstance('exam-', number, changes);
  azure.arm.state = withInstance(azure.arm.state, pool, instance);
  return reportOf(`azure://${instanceIdOf(pool, String(number))}`, name, computer, 'westeurope-1');
}

/** Returns the instance that the provider should report. */
function reportOf(providerID: string, name: string, computer: Computer, zone: string): Instance {
  const addresses = computer.interfaces.flatMap(({ configurations }) =>
    configurations.map(({ address }) => ({ type: 'InternalIP', address })),
  );
  return {
    providerID,
    addresses: [...addresses, { type: 'Hostname', address: name }],
    instanceType: 'Standard_D4s_v5',
    zone,
    region: 'westeurope',
    state: computer.power === 'deallocated' ? 'stopped' : 'running',
    labels: {},
    podBlocks: { IPv4: [], IPv6: [] },
  };
}
