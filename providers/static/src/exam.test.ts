import { examine, type InstanceOrder, type Lab } from '@tandem/provider/exam';
import type { Instance } from '@tandem/provider/plug';
import { stringify } from 'yaml';
import { aStaticWorld, head } from './files.fixture.ts';

type Entry = InstanceOrder & { readonly state?: 'stopped' };

async function openLab(): Promise<Lab> {
  const { clock, file, provider } = await aStaticWorld(`${head}instances: []\n`);
  const entries = new Map<string, Entry>();
  const write = async (): Promise<void> => {
    const instances = Array.from(entries.values(), ({ podBlocks, ...entry }) => ({
      ...entry,
      ...(podBlocks && { podCIDRs: [...podBlocks.IPv4, ...podBlocks.IPv6] }),
    }));
    file.write(head + stringify({ instances }));
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
      await clock.advance(2_000);
      return write;
    },
    async waitFor(work) {
      void clock.advance(1_000);
      return work;
    },
    close: async () => provider.close?.(),
  };
}

describe('exam of the static inventory', () => {
  for (const { name, run } of examine(openLab)) it(name, run);
});
