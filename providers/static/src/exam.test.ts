import { examine, type InstanceOrder, type Lab } from '@tandem/provider/exam';
import type { Instance } from '@tandem/provider/plug';
import { stringify } from 'yaml';
import { aStaticWorld, head } from './files.fixture.ts';
import { failure, MemoryTables } from './route-table/memory-tables.fixture.ts';

type Entry = InstanceOrder & { readonly state?: 'stopped' };

const routeFile = '/site/routes.json';

/** `top` is the part of the inventory above its instances. */
async function openLab(top = ''): Promise<Lab> {
  const tables = new MemoryTables('/site');
  const { clock, file, provider } = await aStaticWorld(`${head}${top}instances: []\n`, tables);
  const entries = new Map<string, Entry>();
  const write = async (): Promise<void> => {
    const instances = Array.from(entries.values(), ({ podBlocks, ...entry }) => ({
      ...entry,
      ...(podBlocks && { podCIDRs: [...podBlocks.IPv4, ...podBlocks.IPv6] }),
    }));
    file.write(head + top + stringify({ instances }));
    await clock.advance(2_000);
  };
  const put = async (entry: Entry): Promise<Instance> => {
    entries.set(entry.name, entry);
    await write();
    return {
      providerID: `static:///${entry.name}`,
      addresses: entry.addresses,
      state: entry.state ?? 'running',
      labels: {},
      podBlocks: entry.podBlocks ?? { IPv4: [], IPv6: [] },
    };
  };
  return {
    provider,
    clock,
    otherSpellings: (providerID) => [providerID.replace('static:///', 'static://')],
    awaitNotices: () => clock.advance(2_000),
    unusedProviderID: 'static:///never-was',
    create: put,
    readdress: (name, addresses) => put({ name, addresses }),
    stop: (name) => put({ name, addresses: [], ...entries.get(name), state: 'stopped' }),
    async remove(name) {
      entries.delete(name);
      await write();
    },
    async breakCloud() {
      file.write('instances: [');
      tables.beforeCall = () => {
        throw failure('EIO', 'i/o error, read');
      };
      await clock.advance(2_000);
      return async () => {
        tables.beforeCall = () => {};
        await write();
      };
    },
    routes: {
      ownsTables: true,
      writes: () => tables.writes,
      async addForeign(_table, destination) {
        const nextHop = destination.includes(':') ? 'fd00::99' : '10.0.0.99';
        const routes = [{ destination, node: 'gone', nextHop }];
        tables.texts.set(routeFile, JSON.stringify({ routes }));
      },
    },
    async waitFor(work) {
      void clock.advance(1_000);
      return work;
    },
    close: async () => provider.close?.(),
  };
}

describe('exam of the static inventory', () => {
  for (const { name, run } of examine(() => openLab())) it(name, run);
});

describe('exam of the static inventory with a route table', () => {
  const top = `routeTable: {file: ${routeFile}}\n`;
  for (const { name, run } of examine(() => openLab(top))) it(name, run);
});
